/// A whole message, put together from its fragments.
public enum WebSocketMessage: Hashable, Sendable {
    /// UTF-8 text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The number of bytes of its content.
    var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// What a message takes in a queue beside its content, roughly: many empty ones are not free.
    static let overhead = 64

    /// What it takes in a queue.
    var cost: Int { byteCount + Self.overhead }
}
