/// Why libmpg123 or libsyn123 could not be set up or gave up. Damaged frames are no errors.
public struct DecoderError: Error, Sendable, CustomStringConvertible {
    /// The reason in words.
    public let description: String

    init(_ description: String) { self.description = description }
}
