internal import HTTPServer
internal import MusicShared

/// Whether the host is up; to who has the key also what it is busy with.
struct HealthRoutes: DescribedRoutes {
    let access: AccessMiddleware
    let facts: HealthFacts

    func add(to routes: some RouteCollection) {
        routes.get(Routes.health, execution: .inline) { request in
            // Who has no key, or a wrong one, is told the same: that the host is up is no secret.
            guard access.isAllowed(request) else { return try .json(HealthReport(status: "ok")) }
            // From here on a thread that may wait for the disk.
            await Task.yield()
            return try .json(facts.report())
        }
    }
}
