/// A route that a ``Router`` was given.
public struct RegisteredRoute: Hashable, Sendable, CustomStringConvertible {
    /// The method. A route for GET answers HEAD as well.
    public let method: HTTPMethod
    /// The pattern of its path, such as `/tracks/:id/stream`.
    public let path: String

    /// Puts the parts together.
    public init(method: HTTPMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Method and path.
    public var description: String { "\(method) \(path)" }
}
