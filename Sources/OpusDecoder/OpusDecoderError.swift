/// The reason why libopus could not be initialised. Damaged packets are not errors.
package struct OpusDecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    package let description: String
}
