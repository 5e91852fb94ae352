internal import HTTPClient
internal import HTTPServer
internal import StreamClient
internal import StreamClientLinux

/// Serves the WebSockets of a follower's clients: by the primary, whose events and clients are those of the whole system, and here
/// while it is away. When that changes, sockets are closed, and clients connect again.
struct WebSocketRelay: Sendable {
    /// Seconds that the primary may take to accept a WebSocket.
    private static let openSeconds = 10.0
    /// Seconds that a message waits at most until this host's copy has what it is about.
    private static let copySeconds = 3.0

    let forwarder: Forwarder

    /// Serves an open WebSocket of a client until its end.
    /// - Parameter here: serves it on this host.
    func serve(_ request: HTTPRequest, _ socket: WebSocket, here: @escaping WebSocketHandler) async throws {
        let follower = forwarder.follower
        let contact = follower.contact
        // A primary that refuses it may have other settings: this host has admitted the client, so it serves it.
        let remote = contact.isReachable ? await open(request) : nil
        defer { remote?.close(code: WebSocketCloseCode.goingAway.rawValue, reason: "") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                guard let remote else { return try await here(request, socket) }
                try await relay(socket, remote)
            }
            group.addTask {
                try await follower.waitForChange(of: contact)
                socket.close(
                    .serviceRestart,
                    reason: contact.isReachable
                        ? "The primary host is away; reconnect." : "The primary host is back; reconnect.")
            }
            try await group.next()
        }
    }

    /// Opens a WebSocket of the primary with the client's own credentials; nil if it does not accept.
    private func open(_ request: HTTPRequest) async -> (any WebSocketConnection)? {
        guard let transfer = try? forwarder.transfer(request) else { return nil }
        let fields = transfer.fields.filter { field in
            let name = field.name.lowercased()
            return !name.hasPrefix("sec-websocket-") || name == "sec-websocket-protocol"
        }
        var opening = TransportRequest(
            transfer.address, fields: TransportFields(fields.map { ($0.name, $0.value) }))
        opening.timeouts.connect = transfer.connectSeconds
        opening.timeouts.response = Self.openSeconds
        return try? await CurlWebSocketConnector().connect(opening)
    }

    /// Passes messages on in both directions until either end closes.
    private func relay(_ socket: WebSocket, _ remote: any WebSocketConnection) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for try await message in socket.messages {
                    guard case .text(let text) = message else {
                        return socket.close(.unsupportedData, reason: "Messages must be text.")
                    }
                    remote.send(text)
                }
            }
            group.addTask { try await deliver(remote, to: socket) }
            try await group.next()
        }
    }

    private func deliver(_ remote: any WebSocketConnection, to socket: WebSocket) async throws {
        var copiedAt: ContinuousClock.Instant?
        do {
            for try await message in remote.messages {
                switch message {
                case .text(let text):
                    // The client may read from this host next what the message is about.
                    if copiedAt.map({ $0 <= remote.lastActivity }) ?? true {
                        copiedAt = .now
                        await forwarder.follower.refresh(withinSeconds: Self.copySeconds)
                    }
                    guard await socket.deliver(.text(text)) else { return }
                case .closed(let code, let reason):
                    return socket.close(WebSocketCloseCode(rawValue: code), reason: reason)
                }
            }
        } catch is WebSocketError {
            socket.close(.serviceRestart, reason: "The connection to the primary host was lost; reconnect.")
        }
    }
}
