internal import FileSystem
internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Secrets
internal import Synchronization

/// The current secrets of a running host, as stored in `host.json`.
///
/// `stream-host key` may replace that file while the host runs. Every access checks the file's state first
/// (one `stat`), so a replaced key is rejected from the next request on. WebSockets opened with the old key
/// are closed within ``interval``.
final class CurrentSecrets: Sendable {
    /// Time between two checks of the file when no requests arrive.
    private static let interval = Duration.milliseconds(250)

    private struct State {
        var secrets: HostSecrets
        var seen: FileStatus.Version?
        var sockets: [Int: WebSocket] = [:]
        var lastSocket = 0
    }

    private let dataFolder: String
    private let path: String
    private let report: @Sendable (String) -> Void
    private let state: Mutex<State>
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - secrets: The secrets in use until the file holds a different key.
    ///   - report: Called with a message when the file cannot be read.
    init(_ secrets: HostSecrets, dataFolder: String, report: @escaping @Sendable (String) -> Void) {
        self.dataFolder = dataFolder
        self.report = report
        path = HostSecrets.path(in: dataFolder)
        state = Mutex(State(secrets: secrets))
        let watching = Task { [weak self] in
            while !Task.isCancelled {
                self?.refresh()
                try? await Task.sleep(for: Self.interval)
                if self == nil { return }
            }
        }
        watch.withLock { $0 = watching }
    }

    deinit { if let task = watch.withLock({ $0 }) { task.cancel() } }

    /// The current secrets.
    var value: HostSecrets {
        refresh()
        return state.withLock(\.secrets)
    }

    /// Registers a WebSocket to be closed when the key is replaced.
    /// - Returns: The ID to pass to ``remove(_:)``.
    func add(_ socket: WebSocket) -> Int {
        state.withLock { state in
            state.lastSocket += 1
            state.sockets[state.lastSocket] = socket
            return state.lastSocket
        }
    }

    /// Unregisters a closed WebSocket.
    func remove(_ id: Int) { _ = state.withLock { $0.sockets.removeValue(forKey: id) } }

    /// Reads the file if it has changed. If it is missing or damaged, the current key stays valid: the host
    /// must not lock its owner out.
    private func refresh() {
        let version = (try? Files.status(of: path))?.version
        var problem: String?
        let closing = state.withLock { state -> [WebSocket] in
            guard version != state.seen else { return [] }
            state.seen = version
            do throws(HostError) {
                guard let read = try HostSecrets.existing(dataFolder: dataFolder) else {
                    problem = "\(path) is missing"
                    return []
                }
                guard read.apiKey.bytes != state.secrets.apiKey.bytes else { return [] }
                state.secrets = read
                defer { state.sockets = [:] }
                return Array(state.sockets.values)
            } catch {
                problem = error.message
                return []
            }
        }
        if let problem { report("the API key was not reloaded: \(problem)") }
        for socket in closing { Self.close(socket) }
    }

    /// Closes a WebSocket whose key is no longer valid.
    static func close(_ socket: WebSocket) {
        socket.close(
            WebSocketCloseCode(rawValue: AccessCloseCode.keyReplaced),
            reason: "The API key has been replaced.")
    }
}
