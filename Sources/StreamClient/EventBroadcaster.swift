internal import Synchronization

/// Delivers events to any number of subscribers, in order.
package final class EventBroadcaster<Event: Sendable>: Sendable {
    private struct State {
        var next = 0
        var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: number of events buffered for a slow subscriber; older ones are dropped.
    package init(capacity: Int) { self.capacity = capacity }

    /// Returns a stream of the events from now on.
    package func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(capacity))
        let id = state.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    /// Sends an event to all subscribers.
    package func send(_ event: Event) {
        let continuations = state.withLock { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield(event) }
    }

    /// Ends all streams.
    package func finish() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }
}
