internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// Keeps the playlists of a library equal to those that hosts share, and changes both together.
///
/// The library is locked first, then the shared data, whose change is durable before that of the library: if the program is killed
/// in between, the library gets the change at the next start.
final class PlaylistSharing: SharedPlaylists {
    private let listening: ListeningStore
    private let folder: DataFolder
    /// The state of the shared data that the library has.
    private let known = Mutex<String?>(nil)

    init(_ listening: ListeningStore, folder: DataFolder) {
        self.listening = listening
        self.folder = folder
    }

    func write<Value: Sendable>(
        _ library: LibraryStore, replacing id: Int?, _ body: (Database) throws -> Value
    ) throws -> Value {
        let value = try change(library) { database in
            try listening.write { shared in
                let exchange = PlaylistExchange(library: database, shared: shared)
                if try !isFilled(shared) {
                    guard !listening.isCopyOfHost else {
                        throw SharedListeningError(
                            isAway: true,
                            "the primary has not stored its playlists in the shared database yet")
                    }
                    try exchange.fill(now: Date().storedMilliseconds)
                }
                try exchange.pull()
                try exchange.reserveIDs()
                let value = try body(database)
                try exchange.push(replacing: id)
                return value
            }
        }
        try noteFilled()
        return value
    }

    /// Copies what other hosts have changed into the library; stores the library's playlists if the shared data does not have them.
    /// Leaves it to a later call while another program has locked the library.
    func update(_ library: LibraryStore) throws {
        let state = try listening.state
        guard known.withLock({ $0 }) != state else { return }
        do { try update(library, to: state) } catch let error as DatabaseError where error.code == .busy {}
    }

    private func update(_ library: LibraryStore, to state: String) throws {
        if try listening.pool.read({ try isFilled($0) }) {
            let theirs = try listening.pool.read { try PlaylistHead.shared($0) }
            let ours = try library.read { try PlaylistHead.ofLibrary($0) }
            if PlaylistExchange.differs(ours, theirs) {
                try change(library) { database in
                    try listening.pool.read {
                        try PlaylistExchange(library: database, shared: $0).pull()
                    }
                }
            }
        } else if listening.isCopyOfHost {
            return
        } else {
            try write(library, replacing: nil) { _ in }
        }
        known.withLock { $0 = state }
    }

    /// A follower's library goes on with the changes of the host that it follows.
    private func change<Value: Sendable>(
        _ library: LibraryStore, _ body: (Database) throws -> Value
    ) throws -> Value {
        listening.isCopyOfHost ? try library.writeToCopy(body) : try library.write(body)
    }

    /// Whether the shared data has the playlists of the library.
    private func isFilled(_ shared: Database) throws -> Bool {
        guard try PlaylistExchange.isFilled(shared) else { return false }
        return try listening.isCopyOfHost || SharingMark.read(folder)?.playlistsEpoch == epoch(shared)
    }

    private func epoch(_ shared: Database) throws -> String? {
        try shared.scalar("SELECT epoch FROM main.listening_state")
    }

    private func noteFilled() throws {
        guard !listening.isCopyOfHost, var mark = try SharingMark.read(folder) else { return }
        let epoch = try listening.pool.read { try self.epoch($0) }
        guard mark.playlistsEpoch != epoch else { return }
        mark.playlistsEpoch = epoch
        try mark.write(to: folder)
    }
}

extension LibraryStore {
    /// Shares the playlists with the hosts that share the listening data, if they do.
    /// - Throws: `DatabaseError`; ``SharedListeningError`` if the shared data cannot be used, unless it is only away.
    package func sharePlaylists(with listening: ListeningStore, in folder: DataFolder) throws {
        guard listening.isShared else { return }
        let sharing = PlaylistSharing(listening, folder: folder)
        playlistSharing.withLock { $0 = sharing }
        do { try sharing.update(self) } catch let error as SharedListeningError where error.isAway {
            // The thread of the shared data tries again.
        }
    }

    /// Copies the changes of other hosts to shared playlists into the library.
    package func updateSharedPlaylists() throws { try playlistSharing.withLock { $0 }?.update(self) }
}
