internal import Foundation
internal import MusicShared
internal import SQLiteDatabase
internal import Synchronization

/// Stars, ratings, play counts and history in `listening.sqlite`, separate from the library, which clients
/// download and which can be rebuilt, while this data cannot.
///
/// The data of an account is read and changed through its ``AccountListening``. Each write is a transaction that is durable
/// when the call returns. All methods are thread-safe, and block on disk access.
package final class ListeningStore: Sendable {
    /// State of the search for moved items.
    private struct Reconciliation {
        var revision: String?
        var notBefore = Date.distantPast
    }

    /// The database file.
    package let path: String
    /// Its connections for reading have the library attached.
    let pool: DatabasePool
    private let reconciliation = Mutex(Reconciliation())
    /// The tracks that players are playing, by account.
    let playing = Mutex<[Int: NowPlaying]>([:])
    let directory: AccountDirectory
    /// Evaluates smart playlists; without it, they have no tracks.
    let smart: SmartPlaylists?
    /// Receives the plays of all accounts.
    let playObserver = Mutex<(@Sendable ([PlayNotice], _ accountID: Int) -> Void)?>(nil)
    /// Keeps this data equal to that of other hosts; nil for a host that has its own.
    let sharing: ListeningSharing?
    /// Whether the library is a copy of another host's, which finds moved items itself.
    let isCopyOfHost: Bool

    /// Opens the store of a data folder; creates or migrates it first. The library must exist.
    /// - Parameters:
    ///   - shared: listening data that several hosts share, of which this store keeps a copy; nil for data of its own.
    ///   - isCopyOfHost: whether the data folder is a copy of another host's.
    /// - Throws: `DatabaseError`, as for a library; `StoreError` `sharedListening` if the folder has a copy of shared data and
    ///   none is given; ``SharedListeningError``.
    package init(
        _ folder: DataFolder, smart: SmartPlaylists? = nil, shared: (any SharedListening)? = nil,
        isCopyOfHost: Bool = false
    ) throws {
        guard shared != nil || !FileManager.default.fileExists(atPath: folder.sharedListeningMark) else {
            throw StoreError(
                .sharedListening,
                "the listening data is a copy of a shared database: state it with --listening, or delete this file to go on with the copy alone",
                path: folder.sharedListeningMark)
        }
        self.smart = smart
        self.isCopyOfHost = isCopyOfHost
        path = folder.listeningDatabase
        let library = folder.libraryDatabase
        let pool = try DatabasePool(
            path: path,
            prepare: { database in
                try database.migrate(
                    ListeningSchema.migrations, applicationID: ListeningSchema.applicationID)
                // Clients discard what they have sent: a power loss must not lose it.
                try database.execute("PRAGMA synchronous = FULL")
                guard shared != nil else { return }
                for table in try SharedTable.all(in: database) { try table.noteChanges(in: database) }
            },
            prepareReader: { try $0.attach(library, as: "library") })
        self.pool = pool
        directory = try AccountDirectory(path: path)
        sharing = try shared.map { try ListeningSharing($0, folder: folder, pool: pool) }
        try sharing?.join(isCopyOfHost: isCopyOfHost)
        try forgetOldActions()
        if shared == nil, !isCopyOfHost { try forgetSharedPlaylists() }
    }

    /// The library changes its playlists alone from now on. When they are shared again, those that it has then are stored.
    private func forgetSharedPlaylists() throws {
        guard try pool.read({ try PlaylistExchange.isFilled($0) }) else { return }
        try write { database in
            try database.execute("DELETE FROM shared_playlists")
            try database.execute("DELETE FROM shared_playlists_state")
        }
    }

    private func forgetOldActions() throws {
        let limit = Date().storedMilliseconds - ListeningLimits.rememberedDays * 86_400_000
        do {
            try write { try $0.execute("DELETE FROM done_actions WHERE received_at_ms < ?", [limit]) }
        } catch let error as SharedListeningError where error.isAway {
            // The next start does it.
        }
    }

    /// Returns the listening data of an account. Where the account does not exist, it is empty and cannot be changed.
    package func account(_ id: Int) -> AccountListening { AccountListening(store: self, accountID: id) }

    /// Reads, together with the library in the same state.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try reconcileIfNeeded()
        return try pool.read(body)
    }

    /// Changes the data in a transaction.
    /// - Throws: errors of the closure; ``SharedListeningError`` if the shared data cannot be changed: nothing has changed then.
    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        if let sharing { return try sharing.write(body) }
        return try pool.write(raisingRevisionOf: "listening_state", body)
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint() throws {
        try pool.checkpoint()
    }

    /// Finds moved and renamed items, if the library has changed since the last time.
    ///
    /// While a pass keeps changing the library, at most one twentieth of the time is spent on this.
    private func reconcileIfNeeded() throws {
        guard !isCopyOfHost || sharing == nil else { return }
        let start = Date()
        let isDue = try reconciliation.withLock { state in
            guard start >= state.notBefore else { return false }
            let revision: String? = try pool.read {
                try $0.scalar("SELECT epoch || '.' || revision FROM library_state")
            }
            guard state.revision != revision else { return false }
            state.revision = revision
            // Other readers need not wait for this search.
            state.notBefore = .distantFuture
            return true
        }
        guard isDue else { return }
        defer {
            let seconds = Date().timeIntervalSince(start)
            reconciliation.withLock { $0.notBefore = Date().addingTimeInterval(seconds * 20) }
        }
        let moves = try pool.read(Self.moves)
        guard !moves.isEmpty else { return }
        do {
            try write { database in
                for move in moves { try Self.apply(move, database) }
            }
        } catch let error as SharedListeningError where error.isAway {
            // Reading goes on; look again later.
            reconciliation.withLock { $0.revision = nil }
        }
        PlayedTracks.forget()
    }
}

/// The listening data of one account.
package struct AccountListening: Sendable {
    /// The data of all accounts.
    package let store: ListeningStore
    /// The account.
    package let accountID: Int

    /// Changes what the account's players are playing.
    func playing<Value>(_ body: (inout NowPlaying) -> Value) -> Value {
        store.playing.withLock { body(&$0[accountID, default: NowPlaying()]) }
    }
}
