internal import Analyzer
internal import APIDescription
internal import Companion
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Creates, lists and cancels jobs that analyse files ahead of time. Requests only update the queue.
struct JobRoutes: DescribedRoutes {
    let planner: JobPlanner
    let store: WorkStore

    func add(to routes: some RouteCollection) {
        routes.post(Routes.precompute) { try await precompute($0) }
        routes.get(Routes.jobs) { request in
            try .json(JobList(jobs: try store.jobs(limit: request.value(Query.limit))))
        }
        routes.get(Routes.job) { request in
            try .json(try Self.found(try store.job(id: try request.parameters.require("job_id")), request))
        }
        routes.delete(Routes.job) { request in
            try .json(
                try Self.found(try store.cancelJob(id: try request.parameters.require("job_id")), request))
        }
    }

    private static func found(_ job: JobReport?, _ request: HTTPRequest) throws -> JobReport {
        guard let job else { throw request.nothingThere }
        return job
    }

    private func precompute(_ request: HTTPRequest) async throws -> HTTPResponse {
        // A request without a body selects all files.
        let isEmpty =
            request.body.announcedByteCount == 0
            || request.body.announcedByteCount == nil && request.fields[.transferEncoding] == nil
        let job = try job(isEmpty ? PrecomputeRequest() : await request.json(PrecomputeRequest.self))
        var response = try HTTPResponse.json(job)
        response.status = .accepted
        response.fields[.location] = Routes.path(Routes.job, job.id)
        return response
    }

    private func job(_ wish: PrecomputeRequest) throws -> JobReport {
        var request = JobRequest()
        request.isForced = wish.force ?? false
        if let parts = wish.parts {
            guard !parts.isEmpty, parts.allSatisfy({ ["profile", "frames"].contains($0) }) else {
                throw Self.invalid("parts", "parts must be \"profile\", \"frames\" or both.")
            }
            request.parts = []
            if parts.contains("profile") { request.parts.insert(.profile) }
            if parts.contains("frames") { request.parts.insert(.frames) }
        }
        switch (wish.relativePath, wish.paths) {
        case (nil, nil):
            guard wish.all != false else {
                throw Self.unclear("all", "Specify files by relative_path or paths, or set all to true.")
            }
            // Recomputing the whole folder must be requested explicitly.
            guard wish.all == true || !request.isForced else {
                throw Self.unclear(
                    "all",
                    "With force, specify files by relative_path or paths, or set all to true for the whole folder."
                )
            }
            return try planner.makeFolderJob(request)
        case (let path?, nil) where wish.all != true:
            guard planner.hasFile(at: path) else {
                throw APIError.noSuchTrack(
                    "There is no music file at this path in the music folder.", field: "relative_path")
            }
            return try planner.makeJob(request, paths: [path])
        case (nil, let paths?) where wish.all != true:
            guard paths.count <= PrecomputeRequest.largestCount else {
                throw APIError.tooManyPaths(
                    "Send at most \(PrecomputeRequest.largestCount) paths, or set all to true.",
                    field: "paths")
            }
            return try planner.makeJob(request, paths: paths)
        default:
            throw Self.unclear(
                wish.all == true ? "all" : "paths", "Send only one of relative_path, paths and all.")
        }
    }

    private static func unclear(_ field: String, _ message: String) -> HTTPError {
        APIError.unclearFiles(message, field: field)
    }

    private static func invalid(_ field: String, _ message: String) -> HTTPError {
        APIError.invalidField(message, field: field)
    }
}

extension PrecomputeRequest: JSONContent {
    static let keys = ["relative_path", "paths", "all", "parts", "force"]
}
