package import HTTPServer

/// Routes with descriptions. The host only accepts these, so its API description covers all routes; tests
/// check that routes and descriptions match.
package protocol DescribedRoutes: Sendable {
    /// One description for each route that ``add(to:)`` adds.
    static var operations: [OpenAPIOperation] { get }
    /// The schemas that the operations refer to by name.
    static var schemas: [String: JSONSchema] { get }
    /// Descriptions of the WebSockets.
    static var channels: [AsyncAPIChannel] { get }

    func add(to routes: some RouteCollection)
}

extension DescribedRoutes {
    package static var schemas: [String: JSONSchema] { [:] }
    package static var channels: [AsyncAPIChannel] { [] }
}
