/// Where routes are added: a ``Router`` or a ``RouteGroup`` of one.
///
/// Middleware applies to the routes that are added after it.
public protocol RouteCollection: AnyObject {
    /// Adds a route.
    ///
    /// - Parameters:
    ///   - method: The method. A route for GET answers HEAD as well.
    ///   - path: A pattern: literal segments, `:name` with literal text around it, `**` at the end.
    ///   - execution: On which thread the handler starts.
    ///   - handler: What answers.
    func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder)

    /// Adds middleware around all routes that are added from now on.
    func add(_ middleware: any HTTPMiddleware)
}

extension RouteCollection {
    /// Adds a route for GET, and HEAD with it.
    public func get(
        _ path: String, execution: RouteExecution = .task, handler: @escaping HTTPResponder
    ) { on(.get, path, execution: execution, handler: handler) }

    /// Adds a route for POST.
    public func post(_ path: String, handler: @escaping HTTPResponder) {
        on(.post, path, execution: .task, handler: handler)
    }

    /// Adds a route for PUT.
    public func put(_ path: String, handler: @escaping HTTPResponder) {
        on(.put, path, execution: .task, handler: handler)
    }

    /// Adds a route for PATCH.
    public func patch(_ path: String, handler: @escaping HTTPResponder) {
        on(.patch, path, execution: .task, handler: handler)
    }

    /// Adds a route for DELETE.
    public func delete(_ path: String, handler: @escaping HTTPResponder) {
        on(.delete, path, execution: .task, handler: handler)
    }

    /// Makes a group of routes below a path, with middleware of its own.
    public func group(_ path: String = "", middleware: [any HTTPMiddleware] = []) -> RouteGroup {
        RouteGroup(parent: self, path: path, middleware: middleware)
    }
}

/// Routes that share the beginning of their path and middleware.
public final class RouteGroup: RouteCollection {
    private let parent: any RouteCollection
    private let path: String
    private var middleware: [any HTTPMiddleware]

    init(parent: any RouteCollection, path: String, middleware: [any HTTPMiddleware]) {
        self.parent = parent
        self.path = path
        self.middleware = middleware
    }

    /// Adds a route below the group's path.
    public func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder
    ) {
        parent.on(
            method, "\(self.path)/\(path)", execution: execution, handler: middleware.wrapping(handler))
    }

    /// Adds middleware around all routes of the group that are added from now on.
    public func add(_ middleware: any HTTPMiddleware) { self.middleware.append(middleware) }
}
