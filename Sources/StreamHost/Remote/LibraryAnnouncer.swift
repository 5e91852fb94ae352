internal import Catalogue
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import Synchronization
internal import Threads

/// Notifies clients when the library has changed, whether by a scan of this host or another program, or by an
/// edited playlist.
final class LibraryAnnouncer: Sendable {
    /// Polling interval in seconds.
    private static let interval = 1.0
    /// While the library keeps changing, clients are notified at this interval in seconds.
    private static let longestDelay = 30.0

    private let clients: RemoteClients
    private let push: PushFeed
    private let library: LibraryStore
    private let changes: LibraryChanges
    private let state: Mutex<State>
    private let poller = Poller("announcements", every: interval)

    /// Polls until deallocated.
    init(clients: RemoteClients, push: PushFeed, library: LibraryStore) throws {
        self.clients = clients
        self.push = push
        self.library = library
        changes = try LibraryChanges(library)
        let version = try changes.version
        // The library may have changed while no host was running.
        try Self.announce(library, on: push)
        state = Mutex(State(announced: version, seen: version, changedAt: nil))
        poller.start { [weak self] in self?.look() }
    }

    /// State of the polling thread.
    private struct State {
        /// The version that clients were notified of.
        var announced: Int
        /// The version at the last poll.
        var seen: Int
        /// Time at which it left the version that clients know of, on the clock of ``RemoteClients``.
        var changedAt: Double?
    }

    private func look() { state.withLock { look(&$0) } }

    private func look(_ state: inout State) {
        // If the library cannot be read now, try again at the next poll.
        guard let version = try? changes.version else { return }
        let now = RemoteClients.now
        let isSettled = version == state.seen
        state.seen = version
        guard version != state.announced else { return }
        let changedAt = state.changedAt ?? now
        state.changedAt = changedAt
        if isSettled || now - changedAt >= Self.longestDelay {
            state.announced = version
            state.changedAt = nil
            clients.broadcast(.dbReady)
            try? Self.announce(library, on: push)
        }
    }

    /// Announces the library's state, including playlists, with the revision for `GET /api/changes`.
    private static func announce(_ library: LibraryStore, on push: PushFeed) throws {
        let (state, revision) = try library.catalogue { (try $0.revision, try $0.catalogueRevision) }
        push.announceLibrary(state: "\(state)-\(revision)", revision: revision.description)
    }
}
