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

    package func on(_ method: HTTPMethod, _ path: String, _ handler: RouteHandler) {
        guard let (names, role) = checks[RegisteredRoute(method: method, path: path)] else {
            return routes.on(method, path, handler)
        }
        routes.on(method, path, handler.inside([RequestCheck(parameters: names, role: role)]))
    }

    package func add(_ middleware: any HTTPMiddleware) { routes.add(middleware) }
}

/// Rejects callers without a role, and unknown query parameters.
private struct RequestCheck: HTTPMiddleware {
    /// The known query parameters, to which `token` is added.
    let parameters: [String]
    let role: AccountRole
    private let known: [String]

    init(parameters: [String], role: AccountRole) {
        self.parameters = parameters
        self.role = role
        known = parameters + ["token"]
    }

    func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        if role > .listener { try request.require(role) }
        guard let name = request.query.firstName(notIn: known) else { return nil }
        throw APIError.unknownParameter(
            parameters.isEmpty
                ? "Unknown parameter; this route has no query parameters."
                : "Unknown parameter; this route accepts: \(parameters.joined(separator: ", ")).", field: name
        )
    }
}
