internal import HTTPServer

/// The server's counts of requests as measurements.
enum RequestFacts {
    static func write(_ metrics: RequestMetrics, to text: inout PrometheusText) {
        let counts = metrics.counts
        text.begin("http_requests_total", .counter, "Requests by route, method and class of status.")
        for count in counts {
            for (digit, value) in count.statusClasses.enumerated() where value > 0 {
                text.sample(Double(value), labels(count, status: digit == 0 ? "none" : "\(digit)xx"))
            }
        }
        text.begin(
            "http_request_duration_seconds", .histogram, "From a request's first line to its answer's end.")
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
            "http_response_bytes_total", .counter, "Bytes of content that went out, without header fields.")
        for count in counts { text.sample(Double(count.byteCount), labels(count)) }
        text.begin(
            "http_responses_cut_total", .counter, "Answers that did not go out whole: the client went away.")
        for count in counts { text.sample(Double(count.cutCount), labels(count)) }
        text.single(
            "http_requests_running", .gauge, "Requests that are being answered, open WebSockets among them.",
            Double(metrics.runningCount))
        text.single("http_connections", .gauge, "Open connections.", Double(metrics.connectionCount))
        text.single("websocket_clients", .gauge, "Open WebSockets.", Double(metrics.webSocketCount))
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

    // What has no route was chosen by who asked: neither its path nor its method may become a label.
    private static func route(_ count: RequestMetrics.RouteCounts) -> String { count.route?.path ?? "none" }
    private static func method(_ count: RequestMetrics.RouteCounts) -> String {
        count.route?.method.rawValue ?? "any"
    }
}
