internal import APIDescription
internal import Companion
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// The event channel: a WebSocket on which the host sends events.
///
/// Each client gets the log's events after its own cursor, as fast as it reads. At most
/// ``WebSocketOptions/outgoingLimit`` bytes per client are kept in memory; a client that does not read at all
/// is closed, and may reconnect with its cursor.
struct PushRoutes: DescribedRoutes {
    /// Number of events read from the log at a time.
    private static let page = 100
    private static let options = {
        var options = WebSocketOptions()
        options.pingIntervalSeconds = StreamingConstants.pingSeconds
        options.missedPingLimit = StreamingConstants.missedPingLimit
        options.subprotocols = [WebSocketKey.subprotocol]
        options.messageLimit = 4 << 10
        options.incomingLimit = 16 << 10
        options.outgoingLimit = 128 << 10
        options.slowReaderPolicy = .dropMessage
        // Gives a client that was closed for being too slow time to read the reason.
        options.closeTimeoutSeconds = 30
        return options
    }()

    let access: AccessMiddleware
    let feed: PushFeed
    /// Seconds without any progress after which a client with a full queue is closed.
    var sendTimeoutSeconds = WebSocket.deliverySeconds

    func add(to routes: some RouteCollection) {
        routes.webSocket(Routes.push, options: Self.options) { request, socket in
            try await access.whileAllowed(request, socket) { caller in
                try await serve(socket, caller.accountID, since: request.value(Self.since))
            }
        }
    }

    private func serve(_ socket: WebSocket, _ accountID: Int, since: String?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Messages from clients are ignored, but must be read to notice disconnects.
                for try await _ in socket.messages {}
            }
            group.addTask { try await send(to: socket, accountID, since: since) }
            // Ends when either the client disconnects or sending ends.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func send(to socket: WebSocket, _ accountID: Int, since: String?) async throws {
        var cursor = try feed.store.latestCursor()
        var gap: PushResyncReason?
        if let since {
            if let asked = EventCursor(since) {
                gap = try feed.replay(after: asked, limit: 0).gap
                if gap == nil { cursor = asked }
            } else {
                gap = .unknownCursor
            }
        }
        let isResumed = since != nil && gap == nil
        guard await deliver(.welcome(isResumed: isResumed), at: cursor, to: socket) else { return }
        if let gap, !(await deliver(.resync(reason: gap), at: cursor, to: socket)) { return }
        for await _ in feed.wakeups(forClient: true) {
            while true {
                let page = try feed.replay(after: cursor, limit: Self.page, ofAccount: accountID)
                cursor = page.end
                if let gap = page.gap, !(await deliver(.resync(reason: gap), at: cursor, to: socket)) {
                    return
                }
                for message in page.messages {
                    guard await deliver(message, to: socket) else { return }
                }
                if !page.hasMore { break }
            }
        }
    }

    private func deliver(_ event: PushEvent, at cursor: EventCursor, to socket: WebSocket) async -> Bool {
        await deliver(
            PushMessage(
                id: cursor.description, at: (Date().timeIntervalSince1970 * 1000).rounded() / 1000,
                event: event),
            to: socket)
    }

    /// Returns false if the client has disconnected, or was closed because it reads too slowly.
    private func deliver(_ message: PushMessage, to socket: WebSocket) async -> Bool {
        guard let message = WebSocketMessage.json(message) else { return true }
        return await socket.deliver(message, withinSeconds: sendTimeoutSeconds)
    }
}
