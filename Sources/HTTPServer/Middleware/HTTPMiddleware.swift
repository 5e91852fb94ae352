/// What answers requests. It may throw; ``HTTPResponseError``s become the response they know, others a plain 500.
public typealias HTTPResponder = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Something that requests pass through on their way to a handler, and responses on their way back.
public protocol HTTPMiddleware: Sendable {
    /// Answers a request, by way of `next` or without it. Errors of the handler come out of `next`.
    func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse
}

/// Middleware of a closure.
public struct ClosureMiddleware: HTTPMiddleware {
    private let body: @Sendable (HTTPRequest, HTTPResponder) async throws -> HTTPResponse

    /// Makes middleware that runs `body` with the request and what comes next.
    public init(_ body: @escaping @Sendable (HTTPRequest, HTTPResponder) async throws -> HTTPResponse) {
        self.body = body
    }

    /// Runs the closure.
    public func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse {
        try await body(request, next)
    }
}

extension [any HTTPMiddleware] {
    /// A responder that passes requests through the middleware, first to last, to `responder`.
    func wrapping(_ responder: @escaping HTTPResponder) -> HTTPResponder {
        var wrapped = responder
        for middleware in reversed() {
            let next = wrapped
            wrapped = { try await middleware.respond(to: $0, next: next) }
        }
        return wrapped
    }
}
