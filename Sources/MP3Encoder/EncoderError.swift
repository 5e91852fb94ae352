/// The reason why encoding failed.
public struct EncoderError: Error, Sendable, CustomStringConvertible {
    /// A description for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
