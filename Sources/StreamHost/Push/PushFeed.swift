internal import Companion
internal import Foundation
package import LibraryStore
package import MusicShared
internal import Synchronization
internal import Threads

/// The event log for clients: writes events, and reads those written by any program.
package final class PushFeed: Sendable {
    /// Seconds between polls for events written by other programs.
    private static let interval = 0.25

    private struct State {
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        /// IDs of those listeners that are clients.
        var clients: Set<Int> = []
        var lastID = 0
    }

    let store: WorkStore
    private let state = Mutex(State())
    private let seenVersion: Mutex<Int?>
    private let poller = Poller("push events", every: interval)
    private let complain: @Sendable (String) -> Void

    /// Polls for new events until deallocated.
    /// - Parameter complain: Called with a message if the log cannot be written.
    package init(_ store: WorkStore, complain: @escaping @Sendable (String) -> Void = { _ in }) {
        self.store = store
        self.complain = complain
        seenVersion = Mutex(try? store.version)
        poller.start { [weak self] in self?.look() }
    }

    /// Wakes the listeners if another program has written events.
    private func look() {
        let version = try? store.version
        let isChanged = seenVersion.withLock { seen in
            defer { seen = version }
            return seen != version
        }
        if isChanged { wake() }
    }

    /// Announces events to all clients; clients that are offline get them once they reconnect.
    ///
    /// If the log cannot be written, this is only reported: the changes themselves have already happened.
    /// - Parameter accountID: The only account whose clients get them; nil for all.
    package func announce(_ events: [PushEvent], toAccount accountID: Int? = nil) {
        do {
            try store.announce(events, toAccount: accountID)
        } catch {
            complain("clients could not be notified of a change: \(error)")
        }
        wake()
    }

    /// Announces a single event.
    package func announce(_ event: PushEvent, toAccount accountID: Int? = nil) {
        announce([event], toAccount: accountID)
    }

    /// Announces a change of the library to all clients, unless this state has already been announced.
    func announceLibrary(state: String, revision: String) {
        do {
            try store.announceLibrary(state: state, revision: revision)
        } catch {
            complain("clients could not be notified of a change: \(error)")
        }
        wake()
    }

    /// Reads the events after a cursor, from at most `limit` events of the log.
    /// - Parameter accountID: The account that reads them; nil for all events.
    package func replay(
        after cursor: EventCursor, limit: Int = 200, ofAccount accountID: Int? = nil
    ) throws -> EventPage {
        try store.events(after: cursor, limit: limit, ofAccount: accountID)
    }

    /// Yields once immediately, and whenever there may be new events. At most one value is buffered, however
    /// slowly they are consumed.
    /// - Parameter forClient: Whether the listener is a client rather than a part of the host.
    func wakeups(forClient: Bool) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.lastID += 1
                state.listeners[state.lastID] = continuation
                if forClient { state.clients.insert(state.lastID) }
                return state.lastID
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in
                    state.listeners[id] = nil
                    state.clients.remove(id)
                }
            }
            continuation.yield()
        }
    }

    /// Number of listening clients.
    var clientCount: Int { state.withLock(\.clients.count) }

    private func wake() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }
}
