/// A complete message, assembled from its fragments.
package enum WebSocketMessage: Hashable, Sendable {
    /// UTF-8 text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The number of bytes of content.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// Approximate overhead of a queued message in bytes, so that many empty messages are not free.
    static let overhead = 64

    /// Size of the message in a queue, including overhead.
    var cost: Int { byteCount + Self.overhead }
}
