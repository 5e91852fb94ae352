/// The reason why a WebSocket could not be opened or ended early. Never contains URLs, since they may hold secrets.
public enum WebSocketError: Error, Sendable, Equatable {
    /// The server answered the opening handshake with a status other than 101, or with something that is not a handshake: nil.
    case rejected(status: Int?)
    /// The server violated the protocol, for the given reason.
    case violation(String)
    /// The connection could not be made, or was lost.
    case disconnected(TransportError)
}
