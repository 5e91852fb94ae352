/// Answers requests using the routes of a ``Router``. Works with or without a server; the responses are the same.
package final class RoutedResponder: Sendable {
    private let table: RouteTable
    private let middleware: [any HTTPMiddleware]
    /// Counts requests; nil if metrics are disabled.
    let metrics: RequestMetrics?
    private let onError: @Sendable (any Error, HTTPRequest) -> Void
    private let completion = ResponseCompletion()

    init(
        table: RouteTable, middleware: [any HTTPMiddleware], metrics: RequestMetrics? = nil,
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.table = table
        self.middleware = middleware
        self.metrics = metrics
        self.onError = onError
    }

    /// All routes, in the order in which they were added.
    package var routes: [RegisteredRoute] { table.registered }

    /// Answers a request: routing, middleware, handler, errors as responses, conditions, ranges, compression.
    ///
    /// The response to HEAD is that to GET; its content is omitted when it is sent.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        let route = route(&request)
        var routed = RoutedRequest(request, route)
        if let response = respondImmediately(to: &routed) { return response }
        return await respond(to: routed)
    }

    /// Finds the route of a request and sets the request's parameters. If no route matches, returns one that throws
    /// an error.
    func route(_ request: inout HTTPRequest) -> Route {
        do {
            guard let routes = try table.match(request.path, &request.parameters) else {
                return failure(
                    HTTPError(.notFound, code: "not_found", message: "There is nothing at this path."))
            }
            if let route = routes[request.method] { return route }
            if request.method == .head, let route = routes[.get] { return route }
            return unrouted(Set(routes.keys))
        } catch {
            return failure(error)
        }
    }

    private func failure(_ error: HTTPError) -> Route {
        unmatched { _ in throw error }
    }

    /// Answers OPTIONS and unsupported methods with the list of supported methods.
    private func unrouted(_ routed: Set<HTTPMethod>) -> Route {
        var methods = routed
        if methods.contains(.get) { methods.insert(.head) }
        methods.insert(.options)
        let allow = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return unmatched { request in
            if request.method == .options { return HTTPResponse(.noContent, fields: [.allow: allow]) }
            throw HTTPError(
                .methodNotAllowed, code: "method_not_allowed",
                message: "Method \(request.method) is not allowed here.", fields: [.allow: allow])
        }
    }

    /// Returns a route for requests without a match.
    private func unmatched(_ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) -> Route {
        let handler = RouteHandler(immediate: { try answer($0) }, responder: { try answer($0) })
        return Route(handler.inside(middleware), metrics: metrics?.unmatched)
    }

    /// Answers a request on the calling thread, if its route can do so without waiting.
    ///
    /// - Returns: The complete response, or nil: then ``respond(to:)-(RoutedRequest)`` answers the request, which may have
    ///   been prepared.
    func respondImmediately(to routed: inout RoutedRequest) -> HTTPResponse? {
        guard let immediate = routed.route.handler.immediate else { return nil }
        do {
            guard let response = try routed.prepare() ?? immediate(routed.request) else { return nil }
            return complete(.success(response), routed)
        } catch {
            return complete(.failure(error), routed)
        }
    }

    /// Runs the route of a request that could not be answered immediately.
    func respond(to routed: RoutedRequest) async -> HTTPResponse {
        var routed = routed
        do {
            if let response = try routed.prepare() { return complete(.success(response), routed) }
            return complete(.success(try await routed.route.handler.responder(routed.request)), routed)
        } catch {
            return complete(.failure(error), routed)
        }
    }

    /// Returns the response to send for what the route has answered or thrown.
    private func complete(_ outcome: consuming Result<HTTPResponse, any Error>, _ routed: RoutedRequest)
        -> HTTPResponse
    {
        routed.finish(&outcome)
        var response =
            switch outcome {
            case .success(let response): response
            case .failure(let error): self.response(for: error, routed.request)
            }
        completion.complete(&response, for: routed.request)
        return response
    }

    private func response(for error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        switch error {
        case let error as any HTTPResponseError: return error.response(to: request)
        case is CancellationError:
            return HTTPError(.serviceUnavailable, code: "cancelled", message: "The server is stopping.")
                .response(to: request)
        default:
            onError(error, request)
            return HTTPError(
                .internalServerError, code: "internal_error",
                message: "Internal server error (request \(request.id))."
            ).response(to: request)
        }
    }
}

/// A request on its way through the middleware of its route.
struct RoutedRequest: Sendable {
    private(set) var request: HTTPRequest
    let route: Route
    /// Number of middleware that have prepared the request, or have answered or rejected it.
    private var preparedCount = 0

    init(_ request: consuming HTTPRequest, _ route: Route) {
        self.request = request
        self.route = route
    }

    /// Passes the request through the middleware that has not prepared it yet.
    /// - Returns: The response of a middleware, if one answers the request.
    mutating func prepare() throws -> HTTPResponse? {
        while preparedCount < route.handler.middleware.count {
            preparedCount += 1
            if let response = try route.handler.middleware[preparedCount - 1].prepare(&request) {
                return response
            }
        }
        return nil
    }

    /// Passes the outcome through the same middleware, in the opposite order.
    func finish(_ outcome: inout Result<HTTPResponse, any Error>) {
        for index in (0..<preparedCount).reversed() {
            route.handler.middleware[index].finish(&outcome, for: request)
        }
    }
}
