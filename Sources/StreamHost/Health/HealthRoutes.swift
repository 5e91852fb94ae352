internal import HTTPServer
internal import MusicShared

/// Whether the host is up.
struct HealthRoutes: DescribedRoutes {
    func add(to routes: some RouteCollection) {
        routes.get(Routes.health, execution: .inline) { _ in try .json(["status": "ok"]) }
    }
}
