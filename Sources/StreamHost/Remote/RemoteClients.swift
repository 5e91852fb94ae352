internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Synchronization

/// The clients on the remote channel: what they play, and what all are told.
final class RemoteClients: Sendable {
    private struct Client {
        let socket: WebSocket
        let appVersion: String
        let address: String
        let connectedAt: Double
        var playback = ClientPlayback()
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Seconds of a steady clock.
    static var now: Double { ProcessInfo.processInfo.systemUptime }

    /// Takes a client in, whose handshake was right.
    /// - Returns: its number.
    func add(_ socket: WebSocket, appVersion: String, address: String) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.clients[state.lastID] = Client(
                socket: socket, appVersion: appVersion, address: address, connectedAt: Self.now)
            return state.lastID
        }
    }

    /// Lets a client go.
    func remove(_ id: Int) { _ = state.withLock { $0.clients.removeValue(forKey: id) } }

    /// Takes a client's command in.
    /// - Returns: what the client is to be told.
    func apply(_ command: RemoteCommand, from id: Int) -> HostEvent? {
        state.withLock { state in
            let now = Self.now
            if let message = state.clients[id]?.playback.apply(command, at: now) {
                return .error(message: message)
            }
            return (state.clients[id]?.playback.state(at: now)).map { .playbackState($0) }
        }
    }

    /// Tells all clients, in the same order each. A client that reads too slowly is cut off.
    func tellAll(_ event: HostEvent) {
        guard let message = event.message else { return }
        // Under the lock, so that two events reach all clients in one order; sending does not wait.
        state.withLock { state in
            for client in state.clients.values { client.socket.offer(message) }
        }
    }

    /// How many are connected.
    var count: Int { state.withLock(\.clients.count) }

    /// Who is connected.
    var report: ClientList {
        let now = Self.now
        return ClientList(
            clients: state.withLock(\.clients).sorted { $0.key < $1.key }
                .map { id, client in
                    ClientReport(
                        id: id, appVersion: client.appVersion, address: client.address,
                        connectedSeconds: now - client.connectedAt, playback: client.playback.state(at: now))
                })
    }
}

extension HostEvent {
    /// The event as it goes over the wire.
    var message: WebSocketMessage? { .json(self) }
}

extension WebSocketMessage {
    /// A value as text in JSON; nil where it has no such form, as a number that is not finite.
    static func json(_ value: some Encodable) -> WebSocketMessage? {
        (try? JSONEncoder.ofHost.encode(value)).map { .text(String(decoding: $0, as: UTF8.self)) }
    }
}
