internal import HTTPServer

/// Routes that say what they do. The host takes no others, so that its description is of all of them; that each route has
/// its description, and none describes what is not there, is for the tests to check.
protocol DescribedRoutes: Sendable {
    /// A description for each route that ``add(to:)`` adds.
    static var operations: [OpenAPIOperation] { get }
    /// The schemas that the operations name.
    static var schemas: [String: JSONSchema] { get }
    /// A description of what goes over each WebSocket.
    static var channels: [AsyncAPIChannel] { get }

    func add(to routes: some RouteCollection)
}

extension DescribedRoutes {
    static var schemas: [String: JSONSchema] { [:] }
    static var channels: [AsyncAPIChannel] { [] }
}
