internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Synchronization

/// The clients on the remote channel: tracks what they play, and broadcasts events to them.
final class RemoteClients: Sendable {
    private struct Client {
        let socket: WebSocket
        let appVersion: String
        let form: RemoteMessageForm
        let accountID: Int
        let address: String
        let connectedAt: Double
        var playback = ClientPlayback()
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Monotonic time in seconds.
    static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Adds a client after a successful handshake.
    /// - Returns: Its ID.
    func add(
        _ socket: WebSocket, _ handshake: HandshakeMessage, accountID: Int, address: String
    ) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.clients[state.lastID] = Client(
                socket: socket, appVersion: handshake.appVersion, form: handshake.form,
                accountID: accountID, address: address, connectedAt: Self.now)
            return state.lastID
        }
    }

    /// Removes a client.
    func remove(_ id: Int) { _ = state.withLock { $0.clients.removeValue(forKey: id) } }

    /// Applies a client's command.
    /// - Returns: The event to send to the client.
    func apply(_ command: RemoteCommand, from id: Int) -> HostEvent? {
        state.withLock { state in
            let now = Self.now
            if let message = state.clients[id]?.playback.apply(command, at: now) {
                return .error(message: message)
            }
            return (state.clients[id]?.playback.state(at: now)).map { .playbackState($0) }
        }
    }

    /// The track that a client plays; nil if unknown.
    func track(of id: Int) -> Int? {
        state.withLock { $0.clients[id]?.playback.state(at: Self.now).trackID }
    }

    /// Sends an event to all clients, in the same order to each. Clients that read too slowly are
    /// disconnected.
    func broadcast(_ event: HostEvent) {
        let snakeCase = event.message(.snakeCase)
        let derived = event.message(.derived)
        // Hold the lock, so that all clients get events in the same order; sending does not block.
        state.withLock { state in
            for client in state.clients.values {
                if let message = client.form == .snakeCase ? snakeCase : derived {
                    client.socket.offer(message)
                }
            }
        }
    }

    /// Number of connected clients.
    var count: Int { state.withLock(\.clients.count) }

    /// The connected clients.
    /// - Parameter accountID: The account whose clients are listed; nil for all.
    func report(of accountID: Int?) -> ClientList {
        let now = Self.now
        return ClientList(
            clients: state.withLock(\.clients)
                .filter { accountID == nil || $0.value.accountID == accountID }
                .sorted { $0.key < $1.key }
                .map { id, client in
                    ClientReport(
                        id: id, appVersion: client.appVersion, address: client.address,
                        connectedSeconds: now - client.connectedAt, playback: client.playback.state(at: now))
                })
    }
}

extension HostEvent {
    /// The event encoded as a message in the given form.
    func message(_ form: RemoteMessageForm) -> WebSocketMessage? { .json(self, form) }
}

extension WebSocketMessage {
    /// Returns a value as JSON text; nil if it cannot be encoded, such as a number that is not finite.
    static func json(_ value: some Encodable, _ form: RemoteMessageForm = .snakeCase) -> WebSocketMessage? {
        let encoder = JSONEncoder.ofHost
        encoder.userInfo[.remoteMessageForm] = form
        return (try? encoder.encode(value)).map { .text(String(decoding: $0, as: UTF8.self)) }
    }
}
