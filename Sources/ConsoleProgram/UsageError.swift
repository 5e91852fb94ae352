/// Why the command line cannot be carried out.
public struct UsageError: Error, Sendable {
    /// What is wrong, for a person.
    public let message: String

    /// Says what is wrong.
    public init(message: String) { self.message = message }
}
