internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MusicShared

/// Analyses ahead of time: asked for, followed, ended. A request only writes down what is wanted.
struct JobRoutes: DescribedRoutes {
    let planner: JobPlanner
    let store: WorkStore

    func add(to routes: some RouteCollection) {
        routes.post(Routes.precompute) { try await precompute($0) }
        routes.get(Routes.jobs) { request in
            let parameters = try ListParameters(request, "limit")
            return try .json(JobList(jobs: try store.jobs(limit: try parameters.limit())))
        }
        routes.get(Routes.job) { request in
            try .json(try Self.found(try store.job(id: try request.parameters.require("job_id"))))
        }
        routes.delete(Routes.job) { request in
            try .json(try Self.found(try store.cancelJob(id: try request.parameters.require("job_id"))))
        }
    }

    private static func found(_ job: JobReport?) throws -> JobReport {
        guard let job else {
            throw HTTPError(.notFound, code: "not_found", message: "There is no job of this number.")
        }
        return job
    }

    private func precompute(_ request: HTTPRequest) async throws -> HTTPResponse {
        // Without content it is a wish for everything.
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
                throw Self.invalid("parts", "parts are \"profile\", \"frames\" or both.")
            }
            request.parts = []
            if parts.contains("profile") { request.parts.insert(.profile) }
            if parts.contains("frames") { request.parts.insert(.frames) }
        }
        switch (wish.relativePath, wish.paths) {
        case (nil, nil):
            guard wish.all != false else {
                throw Self.unclear("all", "Name files by relative_path or paths, or let all be true.")
            }
            return try planner.makeFolderJob(request)
        case (let path?, nil) where wish.all != true:
            guard planner.hasFile(at: path) else {
                throw HTTPError(
                    .notFound, code: "no_such_track", message: "The music folder has no MP3 of this path.",
                    field: "relative_path")
            }
            return try planner.makeJob(request, paths: [path])
        case (nil, let paths?) where wish.all != true:
            guard paths.count <= PrecomputeRequest.largestCount else {
                throw HTTPError(
                    .unprocessableContent, code: "too_many_paths",
                    message: "Name at most \(PrecomputeRequest.largestCount) paths, or ask for all.",
                    field: "paths")
            }
            return try planner.makeJob(request, paths: paths)
        default:
            throw Self.unclear(
                wish.all == true ? "all" : "paths", "Only one of relative_path, paths and all can be.")
        }
    }

    private static func unclear(_ field: String, _ message: String) -> HTTPError {
        HTTPError(.unprocessableContent, code: "unclear_files", message: message, field: field)
    }

    private static func invalid(_ field: String, _ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_field", message: message, field: field)
    }
}

extension PrecomputeRequest: JSONContent {
    static let keys = ["relative_path", "paths", "all", "parts", "force"]
}
