internal import Synchronization

/// Tells events to all who listen.
final class EventHub: Sendable {
    /// Events that wait for one who does not listen fast enough; older ones are lost to him.
    private static let capacity = 4096

    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<PlaybackEvent>.Continuation] = [:]
    }
    private let state = Mutex(State())

    func stream() -> AsyncStream<PlaybackEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlaybackEvent.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let id = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ event: PlaybackEvent) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(event) }
    }

    func finish() {
        let listeners = state.withLock { state in
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
