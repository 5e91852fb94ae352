public import StreamClient

/// Opens WebSockets with libcurl. All open ones share a thread.
public struct CurlWebSocketConnector: WebSocketConnector {
    private let trust: ServerTrust

    /// - Parameter trust: which server certificates are accepted.
    public init(trust: ServerTrust = .machine) { self.trust = trust }

    /// Opens a WebSocket; see ``WebSocketConnector/connect(_:)``.
    public func connect(
        _ request: TransportRequest
    ) async throws(WebSocketError) -> any WebSocketConnection {
        let socket = CurlWebSocket(request, trust: trust)
        try await socket.waitUntilOpen()
        return socket
    }
}
