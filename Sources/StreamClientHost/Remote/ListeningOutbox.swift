public import StreamClient
internal import Foundation
public import MusicShared

/// A queue of listening actions to send to the host.
///
/// Actions stay in the queue until the host has accepted them, also across restarts if a file is given. The host uses the
/// action's id to count each one once, however often it is sent.
public actor ListeningOutbox {
    private struct Content: Codable {
        var actions: [ListeningAction]
    }

    /// Maximum number of actions per request.
    private static let batch = 100
    /// Maximum number of queued actions; when it is exceeded, the oldest are dropped.
    private static let capacity = 10_000

    private let connection: HostConnection
    private let client: String
    private let path: String?
    private var sending: Task<Void, Never>?

    /// The queued actions, oldest first.
    public private(set) var pending: [ListeningAction] = []

    /// - Parameters:
    ///   - client: the player's name in the listening history.
    ///   - path: a file for the queue; without one, queued actions are lost when the program ends.
    public init(_ connection: HostConnection, client: String, path: String? = nil) {
        self.connection = connection
        self.client = client
        self.path = path
        guard let path, let data = try? Data(contentsOf: URL(filePath: path)) else { return }
        pending = (try? JSONDecoder().decode(Content.self, from: data))?.actions ?? []
    }

    /// Queues an action and sends everything queued; the action stays queued until the host has accepted it.
    public func send(_ action: ListeningAction) async {
        var action = stamped(action)
        action.actionID = UUID().uuidString
        pending = (pending + [action]).suffix(Self.capacity)
        keep()
        await flush()
    }

    /// Sends a transient action once; it is lost if the host is offline.
    public func sendOnce(_ action: ListeningAction) async {
        try? await post([stamped(action)])
    }

    /// Sends the queued actions until the host stops accepting them.
    public func flush() async {
        let task = sending ?? Task { await sendAll() }
        sending = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func sendAll() async {
        defer { sending = nil }
        while !pending.isEmpty {
            let actions = Array(pending.prefix(Self.batch))
            do throws(ClientError) {
                try await post(actions)
            } catch {
                // A request that the host will never accept must not block all others.
                guard let status = error.status, [400, 413, 422].contains(status) else { return }
            }
            let sent = Set(actions.compactMap(\.actionID))
            pending.removeAll { action in action.actionID.map { sent.contains($0) } ?? true }
            keep()
        }
    }

    private func stamped(_ action: ListeningAction) -> ListeningAction {
        var action = action
        action.at = action.at ?? Date().timeIntervalSince1970
        action.client = client
        return action
    }

    private func post(_ actions: [ListeningAction]) async throws(ClientError) {
        guard let body = try? JSONEncoder().encode(Content(actions: actions)) else { return }
        var request = TransportRequest("", method: "POST", body: Array(body))
        request.fields["content-type"] = "application/json"
        request.timeouts = TransportTimeouts(connect: 4, response: 10, idle: 10, whole: 20)
        _ = try await connection.fetch(Routes.listeningActions, base: request)
    }

    private func keep() {
        guard let path, let data = try? JSONEncoder().encode(Content(actions: pending)) else { return }
        // If the file cannot be written, the actions are still sent while the program runs.
        try? PrivateFile.replace(path, with: data)
    }
}
