public import Companion
internal import Foundation
public import MusicShared
internal import Synchronization

/// What has happened, for clients: written into the log, read from it again, whichever program wrote it.
public final class PushFeed: Sendable {
    /// Seconds between two looks for what other programs have written.
    private static let interval = 0.25

    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastID = 0
    }

    let store: WorkStore
    private let state = Mutex(State())
    private let complain: @Sendable (String) -> Void

    /// Looks for news until nobody holds it any more.
    /// - Parameter complain: told when the log cannot be written.
    public init(_ store: WorkStore, complain: @escaping @Sendable (String) -> Void = { _ in }) {
        self.store = store
        self.complain = complain
        let thread = Thread { [weak self] in
            var seen = try? store.version
            while true {
                Thread.sleep(forTimeInterval: Self.interval)
                guard let self else { return }
                let version = try? store.version
                if version != seen { wake() }
                seen = version
            }
        }
        thread.name = "push feed"
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Tells all clients what has happened, those that are away as soon as they are back.
    ///
    /// A log that cannot be written is complained of, and nothing else: what has happened has happened.
    public func announce(_ events: [PushEvent]) {
        do {
            try store.announce(events)
        } catch {
            complain("clients could not be told of a change: \(error)")
        }
        wake()
    }

    /// The same for one event.
    public func announce(_ event: PushEvent) { announce([event]) }

    /// Tells all clients that the library has changed, unless they know this state of it.
    func announceLibrary(revision: String) {
        do {
            try store.announceLibrary(revision: revision)
        } catch {
            complain("clients could not be told of a change: \(error)")
        }
        wake()
    }

    /// What has happened after a place, at most so many events.
    public func replay(after cursor: EventCursor, limit: Int = 200) throws -> EventPage {
        try store.events(after: cursor, limit: limit)
    }

    /// Gives a value whenever something may have happened, and one at once; however slowly they are taken, one at most waits.
    func wakeups() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.lastID += 1
                state.listeners[state.lastID] = continuation
                return state.lastID
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
            continuation.yield()
        }
    }

    /// How many listen.
    var listenerCount: Int { state.withLock(\.listeners.count) }

    private func wake() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }
}
