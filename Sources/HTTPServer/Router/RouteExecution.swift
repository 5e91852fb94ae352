/// The thread on which a handler starts.
package enum RouteExecution: Sendable, Hashable {
    /// In a separate task, on threads used only by handlers; the connection is suspended meanwhile. For handlers that
    /// compute, wait, or read a database or file.
    case task
    /// On the thread that received the request, up to the first actual suspension; from there it continues as a task. For
    /// handlers that respond within microseconds: while one runs, the thread's other connections wait.
    case inline
}

/// A route in the routing table.
final class Route: Sendable {
    let handler: RouteHandler
    /// Counts the requests of the route.
    let metrics: RouteMetrics?

    init(_ handler: RouteHandler, metrics: RouteMetrics?) {
        self.handler = handler
        self.metrics = metrics
    }
}
