internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension MetricsRoutes {
    static let tag = "Host"

    static let operations = [
        operation(
            .get, Routes.metrics, "metrics", "Get metrics",
            details: """
                In Prometheus text format: requests by route, method and status class, their durations and bytes, the library, \
                the queue and the process. The host's `metrics-token` is accepted as well as the API key.
                """, role: .owner, answer: .content(.text("text/plain"), "The metrics."))
    ]
}
