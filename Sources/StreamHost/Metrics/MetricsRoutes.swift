internal import APIDescription
internal import HTTPServer
internal import MusicShared

/// Serves metrics for Prometheus and compatible systems.
struct MetricsRoutes: DescribedRoutes {
    let requests: RequestMetrics
    let health: HealthFacts

    func add(to routes: some RouteCollection) {
        routes.get(Routes.metrics) { _ in
            var text = PrometheusText()
            RequestFacts.write(requests, to: &text)
            try HealthMetrics.write(health.report(), to: &text)
            ProcessFacts.write(to: &text)
            return HTTPResponse(
                fields: [.contentType: PrometheusText.mediaType, .cacheControl: "no-store"],
                body: .bytes(Array(text.text.utf8)))
        }
    }
}
