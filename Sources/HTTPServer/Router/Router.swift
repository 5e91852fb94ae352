/// Routes under construction. ``build(onError:)`` makes the immutable ``RoutedResponder`` of it.
///
/// Middleware that is added to the router itself also sees requests that no route matches.
public final class Router: RouteCollection {
    private var table = RouteTable()
    private var middleware: [any HTTPMiddleware] = []
    private let metrics: RequestMetrics?

    /// A router without routes.
    /// - Parameter metrics: counts what a server does with the routes.
    public init(metrics: RequestMetrics? = nil) { self.metrics = metrics }

    /// Adds a route.
    public func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder
    ) {
        let pattern = RoutePattern(path)
        let route = Route(
            responder: middleware.wrapping(handler), execution: execution,
            metrics: metrics?.add(RegisteredRoute(method: method, path: pattern.description)))
        table.add(route, method: method, pattern: pattern)
    }

    /// Adds middleware around all routes that are added from now on, and around requests without a route.
    public func add(_ middleware: any HTTPMiddleware) { self.middleware.append(middleware) }

    /// Makes what answers requests, with a socket or without.
    ///
    /// - Parameter onError: Is told of errors that clients see as a plain 500.
    public func build(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        RoutedResponder(table: table, middleware: middleware, metrics: metrics, onError: onError)
    }
}
