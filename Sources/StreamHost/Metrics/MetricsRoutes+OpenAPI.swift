internal import HTTPServer
internal import MusicShared

extension MetricsRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.metrics, id: "metrics", summary: "What the host counts and measures",
            details: """
                In the text form of Prometheus: requests by route, method and class of status, their durations, bytes, \
                the library, the queue and the process. The host's `metrics-token` opens it as the key does.
                """, tag: "Host", access: .key, answer: "The measurements.",
            contents: [.text("text/plain")])
    ]
}
