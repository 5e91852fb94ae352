/// The reason why a decoder could not be opened. Damaged access units are not errors.
package struct AVDecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    package let description: String
}
