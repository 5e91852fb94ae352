internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension MetricsRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.metrics, id: "metrics", summary: "Get metrics",
            details: """
                In Prometheus text format: requests by route, method and status class, their durations and bytes, the library, \
                the queue and the process. The host's `metrics-token` is accepted as well as the API key.
                """, tag: "Host", access: .key, role: .owner, answer: "The metrics.",
            contents: [.text("text/plain")])
    ]
}
