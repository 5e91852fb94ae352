internal import FileSystem
internal import Foundation
package import HTTPServer
internal import MusicShared
internal import Secrets
internal import Synchronization

/// The open WebSockets, each of which is closed when what opened it is no longer valid: a replaced API key, a revoked app
/// password, a deleted account.
package final class OpenSockets: Sendable {
    /// Time between two looks at keys and accounts.
    private static let interval = Duration.milliseconds(250)

    private struct Opened: Sendable {
        let socket: WebSocket
        let isAllowed: @Sendable () -> Bool
    }

    private struct State {
        var sockets: [Int: Opened] = [:]
        var lastID = 0
    }

    /// Everything that decides whether a credential is valid.
    private struct Credentials: Equatable {
        var key: [UInt8]
        var appPasswords: FileStatus.Version?
        var accounts: [Account]
    }

    private let state = Mutex(State())
    private let watch = Mutex<Task<Void, Never>?>(nil)

    package init(_ secrets: CurrentSecrets, _ accounts: Accounts) {
        let watching = Task { [weak self] in
            var seen: Credentials?
            while !Task.isCancelled {
                let now = Credentials(
                    key: secrets.value.keyText.bytes, appPasswords: accounts.appPasswords.version,
                    accounts: (try? accounts.all) ?? [])
                if let seen, seen != now { self?.closeRefused() }
                seen = now
                try? await Task.sleep(for: Self.interval)
                if self == nil { return }
            }
        }
        watch.withLock { $0 = watching }
    }

    deinit { if let task = watch.withLock({ $0 }) { task.cancel() } }

    /// Serves a WebSocket until it ends, or until it is no longer allowed.
    package func whileAllowed(
        _ socket: WebSocket, _ isAllowed: @escaping @Sendable () -> Bool, _ serve: () async throws -> Void
    ) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            state.sockets[state.lastID] = Opened(socket: socket, isAllowed: isAllowed)
            return state.lastID
        }
        defer { _ = state.withLock { $0.sockets.removeValue(forKey: id) } }
        // The credential may have been revoked since the handshake.
        guard isAllowed() else { return Self.close(socket) }
        try await serve()
    }

    private func closeRefused() {
        for opened in state.withLock({ Array($0.sockets.values) }) where !opened.isAllowed() {
            Self.close(opened.socket)
        }
    }

    private static func close(_ socket: WebSocket) {
        socket.close(
            WebSocketCloseCode(rawValue: AccessCloseCode.keyReplaced),
            reason: "The API key has been replaced, or the app password was revoked.")
    }
}
