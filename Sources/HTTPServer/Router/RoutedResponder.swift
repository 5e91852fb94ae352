/// Answers requests by the routes of a ``Router``. Works without a socket: a server gives the same answers.
public struct RoutedResponder: Sendable {
    private let table: RouteTable
    private let middleware: [any HTTPMiddleware]
    /// Counts requests, where somebody wants to know.
    let metrics: RequestMetrics?
    private let onError: @Sendable (any Error, HTTPRequest) -> Void
    private let completion = ResponseCompletion()
    /// The answers that were given and may be given again.
    let repeated = RepeatedAnswers()

    init(
        table: RouteTable, middleware: [any HTTPMiddleware], metrics: RequestMetrics? = nil,
        onError: @escaping @Sendable (any Error, HTTPRequest) -> Void
    ) {
        self.table = table
        self.middleware = middleware
        self.metrics = metrics
        self.onError = onError
    }

    /// All routes that it answers by, in the order in which they were added.
    public var routes: [RegisteredRoute] { table.registered }

    /// Answers a request: routing, middleware, handler, errors as responses, conditions, ranges, compression.
    ///
    /// The answer to HEAD is the one to GET; its content is left out when it is sent.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        let route = route(&request)
        return await respond(to: request, by: route)
    }

    /// Finds the route of a request and sets the request's parameters. Where there is none, gives one that fails.
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

    /// Answers OPTIONS, and methods that the path does not have, with those that it has.
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
                    message: "This path does not have the method \(request.method).", fields: [.allow: allow])
            }, execution: .inline, metrics: metrics?.unmatched)
    }

    /// Runs a route and makes its answer complete.
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
                message: "Something went wrong in the server (request \(request.id))."
            ).response(to: request)
        }
        completion.complete(&response, for: request)
        return response
    }
}
