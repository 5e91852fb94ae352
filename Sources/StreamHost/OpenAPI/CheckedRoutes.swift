internal import HTTPServer

/// Registers routes that reject query parameters missing from their descriptions, so that typos are noticed.
final class CheckedRoutes: RouteCollection {
    private let routes: any RouteCollection
    private let parameters: [RegisteredRoute: [String]]

    init(_ routes: any RouteCollection, describedBy operations: [OpenAPIOperation]) {
        self.routes = routes
        parameters = Dictionary(
            operations.map { operation in
                (operation.route, operation.parameters.filter { $0.place == .query }.map(\.name))
            }, uniquingKeysWith: { first, _ in first })
    }

    func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder
    ) {
        guard let names = parameters[RegisteredRoute(method: method, path: path)] else {
            return routes.on(method, path, execution: execution, handler: handler)
        }
        routes.on(method, path, execution: execution) { request in
            try request.requireParameters(among: names)
            return try await handler(request)
        }
    }

    func add(_ middleware: any HTTPMiddleware) { routes.add(middleware) }
}

extension HTTPRequest {
    /// Checks that the query only has known parameters and `token`.
    /// - Throws: 400 naming the first unknown parameter.
    fileprivate func requireParameters(among names: [String]) throws(HTTPError) {
        guard !query.raw.isEmpty else { return }
        for (name, _) in query.all where name != "token" && !names.contains(name) {
            throw HTTPError(
                .badRequest, code: OpenAPIError.unknownParameter.code,
                message: names.isEmpty
                    ? "Unknown parameter; this route has no query parameters."
                    : "Unknown parameter; this route accepts: \(names.joined(separator: ", ")).", field: name
            )
        }
    }
}
