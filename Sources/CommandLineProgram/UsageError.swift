/// The reason why a command line is rejected.
package struct UsageError: Error, Sendable {
    /// A description for people.
    package let message: String

    /// Creates an error.
    package init(message: String) { self.message = message }
}
