internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension JobRoutes {
    static let tag = "Companion"

    static let operations = [
        operation(
            .post, Routes.precompute, "precompute", "Analyse files ahead of time",
            details: """
                Accepts at most one of `relative_path`, `paths` and `all`; without any of them, or without a body, all files are \
                selected. Stored results are not recomputed unless `force` is true. The job survives a restart of the host.
                """, role: .editor,
            body: [
                "relative_path": .text(
                    "Path of a single file, relative to the music folder.", example: "1.mp3"
                ).orNull.optional,
                "paths": .array(
                    of: .text(example: "1.mp3"), "Paths of several files.",
                    maximumCount: PrecomputeRequest.largestCount
                ).orNull.optional,
                "all": .flag("Whether to select all files of the music folder.").orNull.optional,
                "parts": .array(of: part, "The results to compute; both by default.", minimumCount: 1).orNull
                    .optional,
                "force": .flag("Whether to recompute stored results.").orNull.optional,
            ], isBodyRequired: false, answer: .json("Job", "The job.").with(.accepted, .location),
            errors: [
                .noSuchTrack.when("There is no music file at `relative_path` in the music folder."),
                .unclearFiles.when("The files are specified in more than one way, or not at all."),
                .tooManyPaths.when("More than \(PrecomputeRequest.largestCount) paths."),
            ]),
        operation(
            .get, Routes.jobs, "jobs", "List jobs, newest first", parameters: [Query.limit],
            answer: .json("JobList", "The jobs.")),
        operation(
            .get, Routes.job, "job", "Get the progress of a job",
            answer: .json("Job", "The job, with its failures.")),
        operation(
            .delete, Routes.job, "cancelJob", "Cancel a job",
            details: """
                Files that have not been started are dropped, unless another job or client also needs them; files in progress are \
                completed. A finished job stays unchanged.
                """, role: .editor, answer: .json("Job", "The updated job.")),
    ]

    private static let part = JSONSchema.oneOf(["profile", "frames"])

    static let schemas: [String: JSONSchema] = [
        "Job": [
            "id": .identifier("Job ID."),
            "kind": .text("Kind of job.", example: "precompute"),
            "state": .oneOf(JobState.self, "State: listing its files, analysing them, done, or cancelled."),
            "parts": .array(of: part, "The results to compute."),
            "total": .integer("Number of files known so far."),
            "done": .integer("Number of files that have the requested results."),
            "failed": .integer("Number of files that could not be analysed."),
            "cancelled": .integer("Number of files dropped because the job was cancelled."),
            "created_at": .number("Creation time, in seconds since 1970 (UTC)."),
            "finished_at": .number("Completion time, in seconds since 1970 (UTC).").optional,
            "failures": .array(
                of: .fileFailure, "The first files that could not be analysed; omitted in lists."
            ).optional,
        ],
        "JobList": ["jobs": .array(of: .named("Job"), "The jobs, newest first.")],
    ]
}
