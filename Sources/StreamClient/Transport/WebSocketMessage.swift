/// A message that a server sends over a WebSocket.
public enum WebSocketMessage: Sendable, Equatable {
    /// A text message.
    case text(String)
    /// The server closed the connection with a close frame. The code is 1005 if the frame has none (RFC 6455 §7.1.5).
    case closed(code: UInt16, reason: String)
}
