internal import Synchronization

/// What a server counts of its requests and connections. Give it to a ``Router``, and read it whenever you like.
public final class RequestMetrics: Sendable {
    /// What was counted of a route.
    public struct RouteCounts: Sendable {
        /// The route; nil stands for all requests without one. HEAD counts as GET.
        public let route: RegisteredRoute?
        /// Requests by their status' first digit, from 0; 0 are those that ended before an answer.
        public let statusClasses: [UInt64]
        /// Requests by duration: for each of ``RequestMetrics/durationBounds`` those that took so long or less, but longer
        /// than the bound before; last those that took longer than all. WebSockets are in none.
        public let durations: [UInt64]
        /// The sum of all durations, in nanoseconds.
        public let nanoseconds: UInt64
        /// Bytes of content of the answers that went out whole, and of streamed ones what was taken of them.
        public let byteCount: UInt64
        /// Requests whose answer did not go out whole: clients that went away, mostly.
        public let cutCount: UInt64
    }

    /// Upper bounds of the classes of durations, in seconds.
    public static let durationBounds = RouteMetrics.bounds.map { Double($0) / 1e9 }

    private let routes = Mutex<[RouteMetrics]>([])
    let unmatched = RouteMetrics(route: nil)
    private let running = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)
    private let webSockets = Atomic<Int>(0)

    /// Nothing counted yet.
    public init() {}

    /// What was counted of each route that was asked for, in the order in which routes were added; last what had no route.
    public var counts: [RouteCounts] {
        (routes.withLock { $0 } + [unmatched]).map(\.snapshot).filter { $0.statusClasses.contains { $0 > 0 } }
    }

    /// Requests that are being answered; open WebSockets are among them.
    public var runningCount: Int { running.load(ordering: .relaxed) }

    /// Connections that are open.
    public var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// WebSockets that are open.
    public var webSocketCount: Int { webSockets.load(ordering: .relaxed) }

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
