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

    /// Opens the store of a data folder; creates or migrates it first. The library must exist.
    /// - Throws: `DatabaseError`, as for a library.
    package init(_ folder: DataFolder, smart: SmartPlaylists? = nil) throws {
        self.smart = smart
        path = folder.listeningDatabase
        let library = folder.libraryDatabase
        pool = try DatabasePool(
            path: path,
            prepare: { database in
                try database.migrate(
                    ListeningSchema.migrations, applicationID: ListeningSchema.applicationID)
                // Clients discard what they have sent: a power loss must not lose it.
                try database.execute("PRAGMA synchronous = FULL")
                let limit = Date().storedMilliseconds - ListeningLimits.rememberedDays * 86_400_000
                try database.execute("DELETE FROM done_actions WHERE received_at_ms < ?", [limit])
            },
            prepareReader: { database in
                let name = library.hasPrefix("/") ? library : "./" + library
                try database.execute("ATTACH ? AS library", [name])
            })
        directory = try AccountDirectory(path: path)
    }

    /// Returns the listening data of an account. Where the account does not exist, it is empty and cannot be changed.
    package func account(_ id: Int) -> AccountListening { AccountListening(store: self, accountID: id) }

    /// Reads, together with the library in the same state.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try reconcileIfNeeded()
        return try pool.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.write(raisingRevisionOf: "listening_state", body)
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint() throws {
        try pool.checkpoint()
    }

    /// Finds moved and renamed items, if the library has changed since the last time.
    ///
    /// While a pass keeps changing the library, at most one twentieth of the time is spent on this.
    private func reconcileIfNeeded() throws {
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
        try write { database in
            for move in moves { try Self.apply(move, database) }
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
