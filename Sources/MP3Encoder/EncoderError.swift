/// The reason why encoding failed.
package struct EncoderError: Error, Sendable, CustomStringConvertible {
    /// A description for people.
    package let description: String

    init(_ description: String) { self.description = description }
}
