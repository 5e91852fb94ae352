internal import Synchronization

/// Counts the requests and connections of a server. Pass it to a ``Router``; it can be read at any time.
package final class RequestMetrics: Sendable {
    /// The counts of a route.
    package struct RouteCounts: Sendable {
        /// The route; nil for all requests without one. HEAD counts as GET.
        package let route: RegisteredRoute?
        /// Requests by the first digit of their status; index 0 counts those that ended before a response.
        package let statusClasses: [UInt64]
        /// Requests by duration: for each of ``RequestMetrics/durationBounds`` those within this bound, but above the
        /// previous one; last those above all bounds. WebSockets are not included.
        package let durations: [UInt64]
        /// The sum of all durations, in nanoseconds.
        package let nanoseconds: UInt64
        /// Bytes of content of complete responses, and the bytes taken from streamed responses.
        package let byteCount: UInt64
        /// Requests whose response was not sent completely, mostly because the client disconnected.
        package let cutCount: UInt64
    }

    /// Upper bounds of the duration classes, in seconds.
    package static let durationBounds = RouteMetrics.bounds.map { Double($0) / 1e9 }

    private let routes = Mutex<[RouteMetrics]>([])
    let unmatched = RouteMetrics(route: nil)
    private let running = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)
    private let webSockets = Atomic<Int>(0)

    /// Creates metrics with all counts at zero.
    package init() {}

    /// The counts of each requested route, in the order in which routes were added; last those of requests without a route.
    package var counts: [RouteCounts] {
        (routes.withLock { $0 } + [unmatched]).map(\.snapshot).filter { $0.statusClasses.contains { $0 > 0 } }
    }

    /// Number of requests in progress, including open WebSockets.
    package var runningCount: Int { running.load(ordering: .relaxed) }

    /// Number of open connections.
    package var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// Number of open WebSockets.
    package var webSocketCount: Int { webSockets.load(ordering: .relaxed) }

    func add(_ route: RegisteredRoute) -> RouteMetrics {
        let metrics = RouteMetrics(route: route)
        routes.withLock { $0.append(metrics) }
        return metrics
    }

    func requestBegan() { running.add(1, ordering: .relaxed) }
    func requestEnded() { running.subtract(1, ordering: .relaxed) }
    func connectionOpened() { connections.add(1, ordering: .relaxed) }
    func connectionClosed() { connections.subtract(1, ordering: .relaxed) }
    func webSocketOpened() { webSockets.add(1, ordering: .relaxed) }
    func webSocketClosed() { webSockets.subtract(1, ordering: .relaxed) }
}
