internal import Foundation
internal import HTTPServer
internal import MusicShared

/// The remote channel: a WebSocket on which clients tell what they do, and the host tells what has happened.
struct RemoteRoutes: DescribedRoutes {
    /// How long a client may take for its handshake, in seconds.
    private static let handshakeSeconds = 10.0
    private static let options = {
        var options = WebSocketOptions()
        options.pingIntervalSeconds = StreamingConstants.pingSeconds
        options.missedPingLimit = StreamingConstants.missedPingLimit
        options.subprotocols = [WebSocketKey.subprotocol]
        // Hundreds of events. Who is further behind is cut off, and connects again to learn how things stand: thousands of
        // slow clients must not fill the memory.
        options.outgoingLimit = 64 << 10
        return options
    }()

    let clients: RemoteClients
    /// Tells them of changes for as long as there are these routes.
    let announcer: LibraryAnnouncer
    let tracks: StreamedTracks
    let appVersion: String
    let tunnel: TunnelState

    func add(to routes: some RouteCollection) {
        routes.webSocket(Routes.remoteChannel, options: Self.options) { request, socket in
            try await serve(socket, address: tunnel.address(of: request))
        }
        routes.get(Routes.clients) { _ in try .json(clients.report) }
    }

    private func serve(_ socket: WebSocket, address: String) async throws {
        guard let handshake = try await handshake(socket) else { return }
        let id = clients.add(socket, appVersion: handshake.appVersion, address: address)
        defer { clients.remove(id) }
        for try await message in socket.messages {
            guard let command = Self.decode(RemoteCommand.self, message, socket) else { return }
            if let event = await answer(to: command, from: id)?.message { socket.offer(event) }
        }
    }

    /// The client's first message, answered by ours; nil where it was refused.
    private func handshake(_ socket: WebSocket) async throws -> HandshakeMessage? {
        let impatience = Task {
            try await Task.sleep(for: .seconds(Self.handshakeSeconds))
            socket.close(
                WebSocketCloseCode(rawValue: RemoteCloseCode.handshakeExpected),
                reason: "No handshake came within \(Int(Self.handshakeSeconds)) seconds.")
        }
        defer { impatience.cancel() }
        var messages = socket.messages
        guard let first = try await messages.next() else { return nil }
        guard case .text(let text) = first,
            let theirs = try? JSONDecoder().decode(HandshakeMessage.self, from: Data(text.utf8))
        else {
            socket.close(
                WebSocketCloseCode(rawValue: RemoteCloseCode.handshakeExpected),
                reason: "The first message is {\"protocolVersion\":…,\"appVersion\":\"…\"}.")
            return nil
        }
        let ours = HandshakeMessage(appVersion: appVersion, tunnelUrl: tunnel.current?.url)
        if let message = WebSocketMessage.json(ours) { socket.offer(message) }
        guard theirs.protocolVersion == ours.protocolVersion else {
            let reason =
                "The host speaks version \(ours.protocolVersion) of the protocol, the client "
                + "\(theirs.protocolVersion)."
            if let message = HostEvent.error(message: reason).message { socket.offer(message) }
            socket.close(
                WebSocketCloseCode(rawValue: RemoteCloseCode.versionMismatch), reason: reason)
            return nil
        }
        return theirs
    }

    private func answer(to command: RemoteCommand, from id: Int) async -> HostEvent? {
        switch command {
        case .refreshDB: return .dbReady
        case .play(let track, _):
            do { _ = try await tracks.track(track) } catch let error as HTTPError {
                return .error(message: error.message)
            } catch {
                return .error(message: "Track \(track) cannot be read.")
            }
        default: break
        }
        return clients.apply(command, from: id)
    }

    /// Reads a message; closes the socket with the code that fits where it is none.
    private static func decode<Value: Decodable>(
        _ type: Value.Type, _ message: WebSocketMessage, _ socket: WebSocket
    ) -> Value? {
        guard case .text(let text) = message else {
            socket.close(.unsupportedData, reason: "Messages are text.")
            return nil
        }
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch DecodingError.dataCorrupted {
            socket.close(.invalidData, reason: "The message is no JSON.")
        } catch {
            socket.close(.policyViolation, reason: "There is no such command, or it lacks a value.")
        }
        return nil
    }
}
