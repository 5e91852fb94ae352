/// Why nothing can be encoded.
public struct EncoderError: Error, Sendable, CustomStringConvertible {
    /// What happened, for a person to read.
    public let description: String

    init(_ description: String) { self.description = description }
}
