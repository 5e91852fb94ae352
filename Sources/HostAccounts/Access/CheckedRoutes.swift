package import APIDescription
package import HTTPServer
internal import MusicShared

/// Registers routes that reject callers without the role of their descriptions, and query parameters missing from these, so
/// that typos are noticed.
package final class CheckedRoutes: RouteCollection {
    private let routes: any RouteCollection
    private let checks: [RegisteredRoute: (parameters: [String], role: AccountRole)]

    package init(_ routes: any RouteCollection, describedBy operations: [OpenAPIOperation]) {
        self.routes = routes
        checks = Dictionary(
            operations.map { operation in
                let names = operation.parameters.filter { $0.place == .query }.map(\.name)
                return (operation.route, (names, operation.role))
            }, uniquingKeysWith: { first, _ in first })
    }

    package func on(
        _ method: HTTPMethod, _ path: String, execution: RouteExecution, handler: @escaping HTTPResponder
    ) {
        guard let (names, role) = checks[RegisteredRoute(method: method, path: path)] else {
            return routes.on(method, path, execution: execution, handler: handler)
        }
        routes.on(method, path, execution: execution) { request in
            if role > .listener { try request.require(role) }
            try request.requireParameters(among: names)
            return try await handler(request)
        }
    }

    package func add(_ middleware: any HTTPMiddleware) { routes.add(middleware) }
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
