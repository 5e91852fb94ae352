internal import Catalogue
internal import Companion
internal import Foundation
internal import MusicShared

/// Tells the clients when the library has changed, whoever changed it: a pass of this host or of another program, an
/// edited playlist.
final class LibraryAnnouncer: Sendable {
    /// Seconds between two looks.
    private static let interval = 1.0
    /// While it changes all the time, clients are told every so many seconds.
    private static let patience = 30.0

    private let clients: RemoteClients
    private let push: PushFeed
    private let library: LibraryStore
    private let changes: LibraryChanges

    /// Looks until nobody holds it any more.
    init(clients: RemoteClients, push: PushFeed, library: LibraryStore) throws {
        self.clients = clients
        self.push = push
        self.library = library
        changes = try LibraryChanges(library)
        let told = try changes.version
        // It may have changed while no host was there to tell of it.
        push.announceLibrary(revision: try library.catalogue { try $0.revision })
        let thread = Thread { [weak self] in
            var state = State(told: told, seen: told, changedAt: nil)
            while self?.look(&state) != nil { Thread.sleep(forTimeInterval: Self.interval) }
        }
        thread.name = "library announcer"
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// What the thread remembers.
    private struct State {
        /// The state of the library that clients know of.
        var told: Int
        /// The state at the last look.
        var seen: Int
        /// When it left the state that clients know of, on the clock of ``RemoteClients``.
        var changedAt: Double?
    }

    private func look(_ state: inout State) {
        // A library that cannot be read now is looked at again.
        guard let version = try? changes.version else { return }
        let now = RemoteClients.now
        let isSettled = version == state.seen
        state.seen = version
        guard version != state.told else { return }
        let changedAt = state.changedAt ?? now
        state.changedAt = changedAt
        if isSettled || now - changedAt >= Self.patience {
            state.told = version
            state.changedAt = nil
            clients.tellAll(.dbReady)
            if let revision = try? library.catalogue({ try $0.revision }) {
                push.announceLibrary(revision: revision)
            }
        }
    }
}
