/// The reason why encoding failed.
package struct EncoderError: Error, Sendable, CustomStringConvertible {
    /// A description for people.
    package let description: String

    /// Creates an error.
    package init(_ description: String) { self.description = description }
}
