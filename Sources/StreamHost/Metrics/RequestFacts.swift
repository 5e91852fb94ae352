internal import HTTPServer

/// Writes the server's request counters as metrics.
enum RequestFacts {
    static func write(_ metrics: RequestMetrics, to text: inout PrometheusText) {
        let counts = metrics.counts
        text.begin("http_requests_total", .counter, "Requests by route, method and status class.")
        for count in counts {
            for (digit, value) in count.statusClasses.enumerated() where value > 0 {
                text.sample(Double(value), labels(count, status: digit == 0 ? "none" : "\(digit)xx"))
            }
        }
        text.begin(
            "http_request_duration_seconds", .histogram,
            "Time from the first line of a request to the end of its response.")
        for count in counts {
            var total: UInt64 = 0
            let names = RequestMetrics.durationBounds.map { "\($0)" } + ["+Inf"]
            for (name, value) in zip(names, count.durations) {
                total += value
                text.sample(Double(total), labels(count, bound: name), suffix: "_bucket")
            }
            text.sample(Double(count.nanoseconds) / 1e9, labels(count), suffix: "_sum")
            text.sample(Double(total), labels(count), suffix: "_count")
        }
        text.begin(
            "http_response_bytes_total", .counter, "Bytes of response content sent, without header fields.")
        for count in counts { text.sample(Double(count.byteCount), labels(count)) }
        text.begin(
            "http_responses_cut_total", .counter,
            "Responses that were cut off because the client disconnected.")
        for count in counts { text.sample(Double(count.cutCount), labels(count)) }
        text.single(
            "http_requests_running", .gauge, "Requests in progress, including open WebSockets.",
            Double(metrics.runningCount))
        text.single(
            "http_connections", .gauge, "Number of open connections.", Double(metrics.connectionCount))
        text.single("websocket_clients", .gauge, "Number of open WebSockets.", Double(metrics.webSocketCount))
    }

    private static func labels(_ count: RequestMetrics.RouteCounts) -> PrometheusText.Labels {
        ["route": route(count), "method": method(count)]
    }

    private static func labels(_ count: RequestMetrics.RouteCounts, status: String) -> PrometheusText.Labels {
        ["route": route(count), "method": method(count), "status": status]
    }

    private static func labels(_ count: RequestMetrics.RouteCounts, bound: String) -> PrometheusText.Labels {
        ["route": route(count), "method": method(count), "le": bound]
    }

    // Paths and methods without a route come from the client and must not become labels.
    private static func route(_ count: RequestMetrics.RouteCounts) -> String { count.route?.path ?? "none" }
    private static func method(_ count: RequestMetrics.RouteCounts) -> String {
        count.route?.method.rawValue ?? "any"
    }
}
