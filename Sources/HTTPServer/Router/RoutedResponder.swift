/// Answers requests using the routes of a ``Router``. Works with or without a server; the responses are the same.
public struct RoutedResponder: Sendable {
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
    public var routes: [RegisteredRoute] { table.registered }

    /// Answers a request: routing, middleware, handler, errors as responses, conditions, ranges, compression.
    ///
    /// The response to HEAD is that to GET; its content is omitted when it is sent.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        let route = route(&request)
        return await respond(to: request, by: route)
    }

    /// Finds the route of a request and sets the request's parameters. If no route matches, returns one that throws
    /// an error.
    func route(_ request: inout HTTPRequest) -> Route {
        do {
            guard let match = try table.match(request.path) else {
                return failure(
                    HTTPError(.notFound, code: "not_found", message: "There is nothing at this path."))
            }
            request.parameters = match.parameters
            if let route = match.routes[request.method] { return route }
            if request.method == .head, let route = match.routes[.get] { return route }
            return unrouted(match)
        } catch {
            return failure(error)
        }
    }

    private func failure(_ error: HTTPError) -> Route {
        Route(
            responder: middleware.wrapping { _ in throw error }, execution: .inline,
            metrics: metrics?.unmatched)
    }

    /// Answers OPTIONS and unsupported methods with the list of supported methods.
    private func unrouted(_ match: RouteTable.Match) -> Route {
        var methods = Set(match.routes.keys)
        if methods.contains(.get) { methods.insert(.head) }
        methods.insert(.options)
        let allow = methods.map(\.rawValue).sorted().joined(separator: ", ")
        return Route(
            responder: middleware.wrapping { request in
                if request.method == .options { return HTTPResponse(.noContent, fields: [.allow: allow]) }
                throw HTTPError(
                    .methodNotAllowed, code: "method_not_allowed",
                    message: "Method \(request.method) is not allowed here.", fields: [.allow: allow])
            }, execution: .inline, metrics: metrics?.unmatched)
    }

    /// Runs a route and completes its response.
    func respond(to request: HTTPRequest, by route: Route) async -> HTTPResponse {
        var response: HTTPResponse
        do {
            response = try await route.responder(request)
        } catch let error as any HTTPResponseError {
            response = error.response(to: request)
        } catch is CancellationError {
            response = HTTPError(.serviceUnavailable, code: "cancelled", message: "The server is stopping.")
                .response(to: request)
        } catch {
            onError(error, request)
            response = HTTPError(
                .internalServerError, code: "internal_error",
                message: "Internal server error (request \(request.id))."
            ).response(to: request)
        }
        completion.complete(&response, for: request)
        return response
    }
}
