/// Opens WebSockets (RFC 6455).
public protocol WebSocketConnector: Sendable {
    /// Opens a WebSocket, and returns when the opening handshake is complete. Cancelling the waiting task ends the attempt.
    /// - Parameter request: the `http` or `https` address and additional header fields. Of the timeouts, `connect` and
    ///   `response` apply, the latter to the whole handshake. Everything else is ignored.
    /// - Throws: if the handshake fails.
    func connect(_ request: TransportRequest) async throws(WebSocketError) -> any WebSocketConnection
}
