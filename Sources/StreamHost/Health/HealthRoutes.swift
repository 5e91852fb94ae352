internal import APIDescription
internal import HostAccounts
internal import HTTPServer
internal import MusicShared

/// Serves the host's status; details only to clients with the API key.
struct HealthRoutes: DescribedRoutes {
    let access: AccessMiddleware
    let facts: HealthFacts

    func add(to routes: some RouteCollection) {
        routes.get(Routes.health, execution: .inline) { request in
            // A missing and an invalid key get the same response: that the host is up is no secret.
            guard access.isAllowed(request) else { return try .json(HealthReport(status: "ok")) }
            // Leave the server's event thread, because reading the disk may block.
            await Task.yield()
            return try .json(facts.report())
        }
    }
}
