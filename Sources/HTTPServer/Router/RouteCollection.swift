/// A collection to which routes are added: a ``Router`` or a ``RouteGroup``.
///
/// Middleware applies to the routes added after it.
package protocol RouteCollection: AnyObject {
    /// Adds a route.
    ///
    /// - Parameters:
    ///   - method: The method. A route for GET answers HEAD as well.
    ///   - path: A pattern of literal segments, `:name` optionally surrounded by literal text, and a trailing `**`.
    ///   - handler: Answers requests.
    func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler)

    /// Adds middleware that applies to all routes added from now on.
    func add(_ middleware: any HTTPMiddleware)
}

extension RouteCollection {
    /// Adds a route.
    package func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder
    ) { on(method, path, RouteHandler(execution: execution, responder: handler)) }

    /// Adds a route for GET and HEAD.
    ///
    /// - Parameters:
    ///   - execution: The thread on which `handler` starts.
    ///   - immediate: Answers the requests that need no waiting, see ``ImmediateResponder``.
    ///   - handler: Answers the other requests.
    package func get(
        _ path: String, execution: RouteExecution = .task, immediate: ImmediateResponder? = nil,
        handler: @escaping HTTPResponder
    ) { on(.get, path, RouteHandler(execution: execution, immediate: immediate, responder: handler)) }

    /// Adds a route for POST.
    package func post(_ path: String, handler: @escaping HTTPResponder) {
        on(.post, path, execution: .task, handler: handler)
    }

    /// Adds a route for PUT.
    package func put(_ path: String, handler: @escaping HTTPResponder) {
        on(.put, path, execution: .task, handler: handler)
    }

    /// Adds a route for PATCH.
    package func patch(_ path: String, handler: @escaping HTTPResponder) {
        on(.patch, path, execution: .task, handler: handler)
    }

    /// Adds a route for DELETE.
    package func delete(_ path: String, handler: @escaping HTTPResponder) {
        on(.delete, path, execution: .task, handler: handler)
    }

    /// Creates a group of routes below a path, with its own middleware.
    package func group(_ path: String = "", middleware: [any HTTPMiddleware] = []) -> RouteGroup {
        RouteGroup(parent: self, path: path, middleware: middleware)
    }
}

/// A group of routes with a common path prefix and middleware.
package final class RouteGroup: RouteCollection {
    private let parent: any RouteCollection
    private let path: String
    private var middleware: [any HTTPMiddleware]

    init(parent: any RouteCollection, path: String, middleware: [any HTTPMiddleware]) {
        self.parent = parent
        self.path = path
        self.middleware = middleware
    }

    /// Adds a route below the group's path.
    package func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler) {
        parent.on(method, "\(self.path)/\(path)", handler.inside(middleware))
    }

    /// Adds middleware that applies to all routes of the group added from now on.
    package func add(_ middleware: any HTTPMiddleware) { self.middleware.append(middleware) }
}
