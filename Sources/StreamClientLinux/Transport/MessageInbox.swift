internal import StreamClient
internal import Synchronization

/// The received messages of a WebSocket until they are read. Stops receiving while too many bytes wait, so that a server that sends
/// faster than its messages are read has to wait.
final class MessageInbox: Sendable {
    /// Number of waiting bytes above which nothing more is received; below half of it, receiving continues.
    static let limit = 128 << 10
    /// Memory that a message takes in addition to its text.
    private static let overhead = 64

    private struct State {
        var messages: [WebSocketMessage] = []
        var next = 0
        var byteCount = 0
        var isReceiving = true
        /// The end after the messages; nil while more may come.
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<WebSocketMessage?, any Error>?
        var receiving: @Sendable (Bool) -> Void = { _ in }
        var cancelled: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - receiving: stops receiving, or continues; called under a lock, so that calls keep their order.
    ///   - cancelled: called when the reading task is cancelled.
    func setHandlers(
        receiving: @escaping @Sendable (Bool) -> Void, cancelled: @escaping @Sendable () -> Void
    ) {
        state.withLock { ($0.receiving, $0.cancelled) = (receiving, cancelled) }
    }

    /// Adds received messages; ignored after the end.
    func add(_ messages: [WebSocketMessage]) {
        guard !messages.isEmpty else { return }
        let waiting = state.withLock {
            state -> (CheckedContinuation<WebSocketMessage?, any Error>, WebSocketMessage)? in
            guard state.end == nil else { return nil }
            state.messages += messages
            for message in messages { state.byteCount += Self.size(of: message) }
            var waiting: (CheckedContinuation<WebSocketMessage?, any Error>, WebSocketMessage)?
            if let reader = state.reader, let message = Self.take(&state) {
                state.reader = nil
                waiting = (reader, message)
            }
            if state.isReceiving, state.byteCount > Self.limit {
                state.isReceiving = false
                state.receiving(false)
            }
            return waiting
        }
        if let (reader, message) = waiting { reader.resume(returning: message) }
    }

    /// Ends the messages after those that wait, which remain readable.
    /// - Parameter error: thrown at the end; nil for a regular end.
    func end(_ error: (any Error)?) {
        let reader = state.withLock { state in
            guard state.end == nil else { return nil as CheckedContinuation<WebSocketMessage?, any Error>? }
            state.end = error.map { .failure($0) } ?? .success(())
            // A waiting reader has read everything, so it gets the error, and later ones the end.
            defer { state.reader = nil }
            if state.reader != nil { state.end = .success(()) }
            return state.reader
        }
        if let error { reader?.resume(throwing: error) } else { reader?.resume(returning: nil) }
    }

    /// Returns the next message; nil at the end, or if the task is cancelled.
    func next() async throws -> WebSocketMessage? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<WebSocketMessage?, any Error>? in
                    if let message = Self.take(&state) { return .success(message) }
                    if let end = state.end {
                        state.end = .success(())
                        return end.map { nil }
                    }
                    // For one reader.
                    guard state.reader == nil, !Task.isCancelled else { return .success(nil) }
                    state.reader = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            cancel()
        }
    }

    fileprivate func cancel() {
        let cancelled = state.withLock(\.cancelled)
        end(nil)
        cancelled()
    }

    private static func take(_ state: inout State) -> WebSocketMessage? {
        guard state.next < state.messages.count else { return nil }
        let message = state.messages[state.next]
        state.next += 1
        if state.next == state.messages.count || state.next >= 64 {
            state.messages.removeFirst(state.next)
            state.next = 0
        }
        state.byteCount -= size(of: message)
        if !state.isReceiving, state.byteCount < limit / 2 {
            state.isReceiving = true
            state.receiving(true)
        }
        return message
    }

    private static func size(of message: WebSocketMessage) -> Int {
        switch message {
        case .text(let text): text.utf8.count + overhead
        case .closed(_, let reason): reason.utf8.count + overhead
        }
    }
}

/// The reader of an inbox, held by the stream of messages alone: a stream releases it if its task is cancelled before it waits.
final class MessageReader: Sendable {
    private let inbox: MessageInbox

    init(_ inbox: MessageInbox) { self.inbox = inbox }

    deinit { inbox.cancel() }

    func next() async throws -> WebSocketMessage? { try await inbox.next() }
}
