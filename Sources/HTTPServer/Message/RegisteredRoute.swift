/// A route of a ``Router``.
package struct RegisteredRoute: Hashable, Sendable, CustomStringConvertible {
    /// The method. A route for GET answers HEAD as well.
    package let method: HTTPMethod
    /// The path pattern, such as `/tracks/:id/stream`.
    package let path: String

    /// Creates a route from its parts.
    package init(method: HTTPMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Method and path.
    package var description: String { "\(method) \(path)" }
}
