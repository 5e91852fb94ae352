/// The reason why libmpg123 or libsyn123 could not be initialised or failed. Damaged frames are not errors.
package struct DecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    package let description: String

    init(_ description: String) { self.description = description }
}
