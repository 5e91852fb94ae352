internal import Foundation
internal import MusicShared
internal import SQLiteDatabase
internal import Synchronization

/// Stars, ratings, play counts and history: `listening.sqlite`, apart from the library, which clients download, and which can
/// be made anew while this cannot.
///
/// Each write is a transaction that is on the disk when the call returns. All calls may come from any thread, and block while
/// the disk works.
public final class ListeningStore: Sendable {
    /// Proof: the connection is used inside the mutex only.
    private struct Writer: @unchecked Sendable {
        let database: Database
    }

    /// When what was listened to was last looked for in the library.
    private struct Reconciliation {
        var revision: String?
        var notBefore = Date.distantPast
    }

    /// The database file.
    public let path: String
    private let writer: Mutex<Writer>
    /// Connections that see the library beside their own tables.
    private let readers: ConnectionPool
    private let reconciliation = Mutex(Reconciliation())
    let playing = Mutex(NowPlaying())

    /// Opens the store of a data folder; makes it, or brings it up to date, first. The library has to be there.
    /// - Throws: `DatabaseError`, as for a library.
    public init(_ folder: DataFolder) throws {
        path = folder.listeningDatabase
        let database = try Database(path: path)
        try database.migrate(ListeningSchema.migrations, applicationID: ListeningSchema.applicationID)
        // A client forgets what it has sent: a loss of power must not take it.
        try database.execute("PRAGMA synchronous = FULL")
        let limit = Date().storedMilliseconds - ListeningLimits.rememberedDays * 86_400_000
        try database.execute("DELETE FROM done_actions WHERE received_at_ms < ?", [limit])
        writer = Mutex(Writer(database: database))
        let library = folder.libraryDatabase
        readers = ConnectionPool(path: path) { database in
            try database.execute("ATTACH ? AS library", [library.hasPrefix("/") ? library : "./" + library])
        }
    }

    /// A name for the state of both databases together.
    static func revision(_ database: Database) throws -> String {
        let revision: String? = try database.scalar(
            """
            SELECT own.epoch || '.' || own.revision || '-' || lib.epoch || '.' || lib.revision
            FROM listening_state AS own, library_state AS lib
            """)
        return revision ?? ""
    }

    /// Reads, with the library as it is at the same moment.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try reconcileIfNeeded()
        return try readers.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.withLock { writer in
            let database = writer.database
            return try database.transaction(.immediate) {
                let changes: Int? = try database.scalar("SELECT total_changes()")
                let value = try body(database)
                if try database.scalar("SELECT total_changes()") != changes {
                    try database.execute("UPDATE listening_state SET revision = revision + 1")
                }
                return value
            }
        }
    }

    /// Moves what was written from the log into the database file itself.
    public func checkpoint() throws {
        try writer.withLock { writer in try writer.database.checkpoint() }
    }

    /// Finds what has been moved or named anew since the last time, unless the library is as it was then.
    ///
    /// While a pass changes the library all the time, it is looked through for one twentieth of the time at most.
    private func reconcileIfNeeded() throws {
        let start = Date()
        let isDue = try reconciliation.withLock { state in
            guard start >= state.notBefore else { return false }
            let revision: String? = try readers.read {
                try $0.scalar("SELECT epoch || '.' || revision FROM library_state")
            }
            guard state.revision != revision else { return false }
            state.revision = revision
            // Others need not wait for the one who looks.
            state.notBefore = .distantFuture
            return true
        }
        guard isDue else { return }
        defer {
            let seconds = Date().timeIntervalSince(start)
            reconciliation.withLock { $0.notBefore = Date().addingTimeInterval(seconds * 20) }
        }
        let moves = try readers.read(Self.moves)
        guard !moves.isEmpty else { return }
        try write { database in
            for move in moves { try Self.apply(move, database) }
        }
    }
}
