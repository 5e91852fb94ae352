internal import SQLiteDatabase

/// The tracks that a transaction inserts in bulk. ``end(_:)`` must be called before the transaction is committed.
final class BulkInsertion {
    /// The last track that triggers or this class have completed; nil before the first insertion.
    private var lastComplete: Int?
    private var isComplete = true

    /// Prepares the insertion of a track.
    func willInsert(_ database: Database) throws {
        isComplete = false
        guard lastComplete == nil else { return }
        lastComplete = try Self.last(database)
        try database.execute("UPDATE library_state SET inserts_in_bulk = 1")
    }

    /// Completes the inserted tracks before any track is changed: the triggers that follow changes count all tracks of an album.
    func willUpdate(_ database: Database) throws {
        guard let lastComplete, !isComplete else { return }
        for statement in LibrarySchema.insertedTracks { try database.execute(statement, [lastComplete]) }
        self.lastComplete = try Self.last(database)
        isComplete = true
    }

    /// Adds the inserted tracks to the search index, the logs and the numbers of albums, artists and genres, and lets triggers follow
    /// insertions again.
    func end(_ database: Database) throws {
        guard lastComplete != nil else { return }
        try willUpdate(database)
        try database.execute("UPDATE library_state SET inserts_in_bulk = 0")
        lastComplete = nil
    }

    private static func last(_ database: Database) throws -> Int {
        try database.scalar("SELECT max(id) FROM tracks") ?? 0
    }
}
