/// A connection's way to a WebSocket.
public struct WebSocketUpgrade: Sendable {
    func makeResponse(listener: Listener) -> OpaquePointer? { nil }
}
