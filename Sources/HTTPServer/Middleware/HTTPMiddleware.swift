/// Answers requests. ``HTTPResponseError``s that it throws are converted to their response, other errors to a plain 500.
public typealias HTTPResponder = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Processes requests before they reach a handler, and responses before they are sent.
public protocol HTTPMiddleware: Sendable {
    /// Answers a request, with or without calling `next`. Errors of the handler are thrown by `next`.
    func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse
}

/// Middleware based on a closure.
public struct ClosureMiddleware: HTTPMiddleware {
    private let body: @Sendable (HTTPRequest, HTTPResponder) async throws -> HTTPResponse

    /// Creates middleware that calls `body` with the request and the next responder.
    public init(_ body: @escaping @Sendable (HTTPRequest, HTTPResponder) async throws -> HTTPResponse) {
        self.body = body
    }

    /// Runs the closure.
    public func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse {
        try await body(request, next)
    }
}

extension [any HTTPMiddleware] {
    /// Returns a responder that passes requests through the middleware, first to last, to `responder`.
    func wrapping(_ responder: @escaping HTTPResponder) -> HTTPResponder {
        var wrapped = responder
        for middleware in reversed() {
            let next = wrapped
            wrapped = { try await middleware.respond(to: $0, next: next) }
        }
        return wrapped
    }
}
