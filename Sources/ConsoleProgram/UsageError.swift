/// The reason why a command line is rejected.
public struct UsageError: Error, Sendable {
    /// A description for people.
    public let message: String

    /// Creates an error.
    public init(message: String) { self.message = message }
}
