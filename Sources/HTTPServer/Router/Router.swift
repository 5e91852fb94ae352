/// A builder for routes. ``build(onError:)`` creates the immutable ``RoutedResponder``.
///
/// Middleware added to the router itself also applies to requests that match no route.
package final class Router: RouteCollection {
    private var table = RouteTable()
    private var middleware: [any HTTPMiddleware] = []
    private let metrics: RequestMetrics?

    /// Creates a router without routes.
    /// - Parameter metrics: counts requests and connections.
    package init(metrics: RequestMetrics? = nil) { self.metrics = metrics }

    /// Adds a route.
    package func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler) {
        let pattern = RoutePattern(path)
        let route = Route(
            handler.inside(middleware),
            metrics: metrics?.add(RegisteredRoute(method: method, path: pattern.description)))
        table.add(route, method: method, pattern: pattern)
    }

    /// Adds middleware that applies to all routes added from now on, and to requests without a route.
    package func add(_ middleware: any HTTPMiddleware) { self.middleware.append(middleware) }

    /// Builds the responder.
    ///
    /// - Parameter onError: Called for errors that clients see as a plain 500.
    package func build(
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void = { _, _ in }
    ) -> RoutedResponder {
        RoutedResponder(table: table, middleware: middleware, metrics: metrics, onError: onError)
    }
}
