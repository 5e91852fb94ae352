/// A server's answer.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public let status: Int
    /// The media type without parameters, in lower case; empty if the server sent none.
    public let mediaType: String
    /// The content.
    public let body: [UInt8]
}
