internal import HTTPServer
internal import MusicShared

extension JobRoutes {
    private static let tag = "Companion"
    private static let number = OpenAPIParameter.path(
        "job_id", "Number of the job.", .identifier(example: 1))
    private static let job = [OpenAPIResponse.Content.json(.named("Job"))]

    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.precompute, id: "precompute",
            summary: "Has files analysed ahead of time: one, many or all",
            details: """
                Of `relative_path`, `paths` and `all` one at most; without any, and without content, all files are meant. What \
                is stored already is not made again, unless `force` is true. The job outlives a restart of the host.
                """, tag: tag, access: .key,
            body: .object([
                .maybe(
                    "relative_path", .text("One file: its path in the music folder.", example: "1.mp3").orNull
                ),
                .maybe(
                    "paths",
                    .array(
                        of: .text(example: "1.mp3"), "Many files.",
                        maximumCount: PrecomputeRequest.largestCount
                    ).orNull),
                .maybe("all", .flag("All files of the music folder.").orNull),
                .maybe(
                    "parts",
                    .array(of: part, "What is wanted: both unless told.", minimumCount: 1).orNull),
                .maybe("force", .flag("Make anew what is there.").orNull),
            ]), isBodyRequired: false, status: .accepted, answer: "The job.", contents: job,
            headers: [.location],
            errors: [
                OpenAPIError(
                    status: .notFound, code: "no_such_track",
                    meaning: "The music folder has no MP3 of the one path that is named."),
                OpenAPIError(
                    status: .unprocessableContent, code: "unclear_files",
                    meaning: "Which files are meant is said in two ways, or in none."),
                OpenAPIError(
                    status: .unprocessableContent, code: "too_many_paths",
                    meaning: "More than \(PrecomputeRequest.largestCount) paths."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.jobs, id: "jobs", summary: "The jobs, the newest first", tag: tag,
            access: .key, parameters: [OpenAPIParameter.page()[0]], answer: "The jobs.",
            contents: [.json(.named("JobList"))], errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.job, id: "job", summary: "How far a job has come", tag: tag,
            access: .key, parameters: [number], answer: "The job, with what went wrong.", contents: job,
            errors: [.nothing]),
        OpenAPIOperation(
            method: .delete, path: Routes.job, id: "cancelJob", summary: "Ends a job",
            details: """
                What is not begun is left out, unless somebody else wants it too; what is under way comes to its end. A job \
                that has ended stays as it is.
                """, tag: tag, access: .key, parameters: [number], answer: "The job as it is now.",
            contents: job, errors: [.nothing]),
    ]

    private static let part = JSONSchema.oneOf(["profile", "frames"])

    static let schemas: [String: JSONSchema] = [
        "Job": .object([
            .always("id", .identifier("Number of the job.")),
            .always("kind", .text("What is done.", example: "precompute")),
            .always(
                "state",
                .oneOf(
                    JobState.allCases.map(\.rawValue),
                    "How it stands: its files are being looked for, are being analysed, are done, or it was ended."
                )),
            .always("parts", .array(of: part, "What is made.")),
            .always("total", .integer("Files of the job, as far as they are known.")),
            .always("done", .integer("Files that have what was asked for.")),
            .always("failed", .integer("Files that could not be analysed.")),
            .always("cancelled", .integer("Files that were left out because the job was ended.")),
            .always("created_at", .number("When it was asked for, in seconds since 1970 (UTC).")),
            .maybe("finished_at", .number("When it came to its end, in seconds since 1970 (UTC).")),
            .maybe(
                "failures",
                .array(
                    of: .object([
                        .always("relative_path", .text("Path in the music folder.")),
                        .always("code", .text("Name of the reason, for programs.", example: "not_mp3")),
                        .always("message", .text("The reason, for a person.")),
                    ]), "The first files that could not be analysed. Not in lists of jobs.")),
        ]),
        "JobList": .object([.always("jobs", .array(of: .named("Job"), "The newest first."))]),
    ]
}
