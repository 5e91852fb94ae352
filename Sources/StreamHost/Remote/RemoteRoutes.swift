internal import Analyzer
internal import APIDescription
internal import Foundation
internal import HostAccounts
internal import HostStreams
internal import HTTPServer
internal import MusicShared

/// The remote channel: a WebSocket on which clients report what they do, and the host sends events.
struct RemoteRoutes: DescribedRoutes {
    /// Timeout for a client's handshake, in seconds.
    private static let handshakeSeconds = 10.0
    private static let options = {
        var options = WebSocketOptions()
        options.pingIntervalSeconds = StreamingConstants.pingSeconds
        options.missedPingLimit = StreamingConstants.missedPingLimit
        options.subprotocols = [WebSocketKey.subprotocol]
        // Enough for hundreds of events. Clients that are further behind are disconnected and get the current
        // state when they reconnect: thousands of slow clients must not exhaust memory.
        options.outgoingLimit = 64 << 10
        return options
    }()

    let access: AccessMiddleware
    let clients: RemoteClients
    /// Notifies clients of changes as long as this object exists.
    let announcer: LibraryAnnouncer
    let tracks: StreamedTracks
    let appVersion: String
    let tunnel: TunnelState
    let jukebox: JukeboxAccess

    func add(to routes: some RouteCollection) {
        routes.webSocket(Routes.remoteChannel, options: Self.options) { request, socket in
            try await access.whileAllowed(request, socket) { caller in
                try await serve(socket, caller.accountID, address: tunnel.address(of: request))
            }
        }
        routes.get(Routes.clients) { request in
            let caller = try request.caller
            // Only owners see the players of other accounts.
            var list = clients.report(of: caller.role == .owner ? nil : caller.accountID)
            if let jukebox = await jukebox.client(for: caller) { list.clients.insert(jukebox, at: 0) }
            return try .json(list)
        }
    }

    private func serve(_ socket: WebSocket, _ accountID: Int, address: String) async throws {
        guard let handshake = try await handshake(socket) else { return }
        let id = clients.add(socket, handshake, accountID: accountID, address: address)
        defer { clients.remove(id) }
        for try await message in socket.messages {
            let event: HostEvent?
            switch Self.decode(message, socket) {
            case .command(let command): event = await answer(to: command, from: id)
            case .unknown(let problem): event = .error(message: problem)
            case .closed: return
            }
            if let event = event?.message(handshake.form) { socket.offer(event) }
        }
    }

    /// Exchanges handshakes; nil if the client's was rejected.
    private func handshake(_ socket: WebSocket) async throws -> HandshakeMessage? {
        let timeout = Task {
            try await Task.sleep(for: .seconds(Self.handshakeSeconds))
            socket.close(
                WebSocketCloseCode(rawValue: RemoteCloseCode.handshakeExpected),
                reason: "No handshake was received within \(Int(Self.handshakeSeconds)) seconds.")
        }
        defer { timeout.cancel() }
        var messages = socket.messages
        guard let first = try await messages.next() else { return nil }
        guard case .text(let text) = first,
            let theirs = try? JSONDecoder().decode(HandshakeMessage.self, from: Data(text.utf8))
        else {
            socket.close(
                WebSocketCloseCode(rawValue: RemoteCloseCode.handshakeExpected),
                reason: "The first message must be {\"protocol_version\":…,\"app_version\":\"…\"}.")
            return nil
        }
        let ours = HandshakeMessage(
            appVersion: appVersion, tunnelURL: tunnel.current?.url, form: theirs.form)
        if let message = WebSocketMessage.json(ours) { socket.offer(message) }
        guard theirs.protocolVersion == ours.protocolVersion else {
            let reason =
                "Version mismatch: the host has protocol version \(ours.protocolVersion), the client "
                + "\(theirs.protocolVersion)."
            if let message = HostEvent.error(message: reason).message(theirs.form) { socket.offer(message) }
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
        case .seek(let position):
            // If the track cannot be read now, its duration is unknown.
            if let track = clients.track(of: id), let known = try? await tracks.track(track),
                position > known.stream.durationSeconds + Self.seekTolerance
            {
                let seconds = (known.stream.durationSeconds * 1000).rounded() / 1000
                return .error(message: "Track \(track) ends at \(seconds) seconds; \(position) is beyond.")
            }
        default: break
        }
        return clients.apply(command, from: id)
    }

    /// Tolerance in seconds for a client's track duration: some players do not trim the encoder's padding.
    private static let seekTolerance = 0.25

    private enum Decoded {
        case command(RemoteCommand)
        /// JSON that is not a valid command in this version, with the reason.
        case unknown(String)
        /// The message was not JSON, and the socket was closed.
        case closed
    }

    /// Decodes a message. JSON that is not a known command may come from a newer client, which stays
    /// connected; anything else closes the socket.
    private static func decode(_ message: WebSocketMessage, _ socket: WebSocket) -> Decoded {
        guard case .text(let text) = message else {
            socket.close(.unsupportedData, reason: "Messages must be text.")
            return .closed
        }
        let bytes = Data(text.utf8)
        if let command = try? JSONDecoder().decode(RemoteCommand.self, from: bytes) {
            return .command(command)
        }
        guard let value = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) else {
            socket.close(.invalidData, reason: "The message is not JSON.")
            return .closed
        }
        guard let object = value as? [String: Any], object.count == 1, let name = object.keys.first else {
            return .unknown("A command must be a JSON object with one key, the command's name.")
        }
        // The name is echoed to the client, so limit its length.
        let shown = name.prefix(40)
        return .unknown(
            RemoteCommand.isKnown(name)
                ? "Command \"\(shown)\": missing value or wrong type."
                : "Unknown command \"\(shown)\".")
    }
}
