/// Answers requests. ``HTTPResponseError``s that it throws are converted to their response, other errors to a plain 500.
package typealias HTTPResponder = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Answers requests on the connection's thread, within microseconds and without waiting; returns nil for those that it cannot
/// answer in this way.
package typealias ImmediateResponder = @Sendable (HTTPRequest) throws -> HTTPResponse?

/// The handler of a route with the middleware around it.
package struct RouteHandler: Sendable {
    /// From the outermost to the innermost.
    private(set) var middleware: [any HTTPMiddleware] = []
    /// Asked first, if there is one; it must not have side effects for requests that it does not answer.
    let immediate: ImmediateResponder?
    /// Answers all other requests.
    let responder: HTTPResponder
    /// The thread on which `responder` starts.
    let execution: RouteExecution

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - execution: The thread on which `responder` starts.
    ///   - immediate: Answers the requests that need no waiting, if the route has such.
    ///   - responder: Answers the other requests.
    package init(
        execution: RouteExecution = .task, immediate: ImmediateResponder? = nil,
        responder: @escaping HTTPResponder
    ) {
        self.execution = execution
        self.immediate = immediate
        self.responder = responder
    }

    /// Returns the handler inside of further middleware, given from the outermost to the innermost.
    package func inside(_ outer: [any HTTPMiddleware]) -> RouteHandler {
        var wrapped = self
        wrapped.middleware = outer + middleware
        return wrapped
    }

    /// Returns a handler whose requests are answered by a closure, which gets this handler's own responder. Middleware is kept.
    /// - Parameter keepsImmediate: whether requests that this handler answers without waiting bypass the closure.
    package func replaced(
        keepsImmediate: Bool = false,
        by answer: @escaping @Sendable (HTTPRequest, HTTPResponder) async throws -> HTTPResponse
    ) -> RouteHandler {
        let responder = responder
        let replaced = RouteHandler(execution: .task, immediate: keepsImmediate ? immediate : nil) {
            try await answer($0, responder)
        }
        return replaced.inside(middleware)
    }
}
