/// A route of a ``Router``.
public struct RegisteredRoute: Hashable, Sendable, CustomStringConvertible {
    /// The method. A route for GET answers HEAD as well.
    public let method: HTTPMethod
    /// The path pattern, such as `/tracks/:id/stream`.
    public let path: String

    /// Creates a route from its parts.
    public init(method: HTTPMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Method and path.
    public var description: String { "\(method) \(path)" }
}
