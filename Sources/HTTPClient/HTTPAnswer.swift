/// A server's answer.
package struct HTTPAnswer: Sendable {
    /// The status code.
    package let status: Int
    /// The media type without parameters, in lower case; empty if the server sent none.
    package let mediaType: String
    /// The content.
    package let body: [UInt8]
}
