internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension JobRoutes {
    private static let tag = "Companion"
    private static let number = OpenAPIParameter.path(
        "job_id", "Job ID.", .identifier(example: 1))
    private static let job = [OpenAPIResponse.Content.json(.named("Job"))]

    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.precompute, id: "precompute",
            summary: "Analyse files ahead of time",
            details: """
                Accepts at most one of `relative_path`, `paths` and `all`; without any of them, or without a body, all files are \
                selected. Stored results are not recomputed unless `force` is true. The job survives a restart of the host.
                """, tag: tag, access: .key, role: .editor,
            body: .object([
                .maybe(
                    "relative_path",
                    .text("Path of a single file, relative to the music folder.", example: "1.mp3").orNull
                ),
                .maybe(
                    "paths",
                    .array(
                        of: .text(example: "1.mp3"), "Paths of several files.",
                        maximumCount: PrecomputeRequest.largestCount
                    ).orNull),
                .maybe("all", .flag("Whether to select all files of the music folder.").orNull),
                .maybe(
                    "parts",
                    .array(of: part, "The results to compute; both by default.", minimumCount: 1).orNull),
                .maybe("force", .flag("Whether to recompute stored results.").orNull),
            ]), isBodyRequired: false, status: .accepted, answer: "The job.", contents: job,
            headers: [.location],
            errors: [
                OpenAPIError(
                    status: .notFound, code: "no_such_track",
                    meaning: "There is no MP3 at `relative_path` in the music folder."),
                OpenAPIError(
                    status: .unprocessableContent, code: "unclear_files",
                    meaning: "The files are specified in more than one way, or not at all."),
                OpenAPIError(
                    status: .unprocessableContent, code: "too_many_paths",
                    meaning: "More than \(PrecomputeRequest.largestCount) paths."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.jobs, id: "jobs", summary: "List jobs, newest first", tag: tag,
            access: .key, parameters: [OpenAPIParameter.page()[0]], answer: "The jobs.",
            contents: [.json(.named("JobList"))], errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.job, id: "job", summary: "Get the progress of a job", tag: tag,
            access: .key, parameters: [number], answer: "The job, with its failures.", contents: job,
            errors: [.nothing]),
        OpenAPIOperation(
            method: .delete, path: Routes.job, id: "cancelJob", summary: "Cancel a job",
            details: """
                Files that have not been started are dropped, unless another job or client also needs them; files in progress are \
                completed. A finished job stays unchanged.
                """, tag: tag, access: .key, role: .editor, parameters: [number], answer: "The updated job.",
            contents: job, errors: [.nothing]),
    ]

    private static let part = JSONSchema.oneOf(["profile", "frames"])

    static let schemas: [String: JSONSchema] = [
        "Job": .object([
            .always("id", .identifier("Job ID.")),
            .always("kind", .text("Kind of job.", example: "precompute")),
            .always(
                "state",
                .oneOf(
                    JobState.allCases.map(\.rawValue),
                    "State: listing its files, analysing them, done, or cancelled."
                )),
            .always("parts", .array(of: part, "The results to compute.")),
            .always("total", .integer("Number of files known so far.")),
            .always("done", .integer("Number of files that have the requested results.")),
            .always("failed", .integer("Number of files that could not be analysed.")),
            .always("cancelled", .integer("Number of files dropped because the job was cancelled.")),
            .always("created_at", .number("Creation time, in seconds since 1970 (UTC).")),
            .maybe("finished_at", .number("Completion time, in seconds since 1970 (UTC).")),
            .maybe(
                "failures",
                .array(
                    of: .object([
                        .always("relative_path", .text("Path relative to the music folder.")),
                        .always("code", .text("Stable error code.", example: "not_mp3")),
                        .always("message", .text("Human-readable reason.")),
                    ]), "The first files that could not be analysed; omitted in lists.")),
        ]),
        "JobList": .object([.always("jobs", .array(of: .named("Job"), "The jobs, newest first."))]),
    ]
}
