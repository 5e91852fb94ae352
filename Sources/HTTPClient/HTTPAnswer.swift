/// What a server answered.
public struct HTTPAnswer: Sendable {
    /// The status code.
    public let status: Int
    /// The media type, without parameters, in lower case; empty where none was told.
    public let mediaType: String
    /// The content.
    public let body: [UInt8]
}
