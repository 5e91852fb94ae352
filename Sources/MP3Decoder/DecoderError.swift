/// The reason why libmpg123 or libsyn123 could not be initialised or failed. Damaged frames are not errors.
public struct DecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    public let description: String

    init(_ description: String) { self.description = description }
}
