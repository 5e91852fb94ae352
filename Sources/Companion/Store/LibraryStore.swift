internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// The catalogue and the analyses: `library.sqlite`.
///
/// One connection writes, each write is a transaction; so whenever the process is killed, the file holds all
/// writes that had returned and nothing of the one under way. Reads take connections of their own and see the
/// state before a write under way. All calls may come from any thread, and block while the disk works.
public final class LibraryStore: Sendable {
    /// Proof: the connection is used inside the mutex only.
    private struct Writer: @unchecked Sendable {
        let database: Database
    }

    /// The database file.
    public let path: String
    /// Nil in a library that was opened for reading.
    private let writer: Mutex<Writer?>
    private let readers: ConnectionPool

    /// Opens the library of a data folder for reading and writing; makes it, or brings it up to date, first.
    /// - Throws: `DatabaseError`: `schemaTooNew` for a library of a newer program, `foreignDatabase` for
    ///   another program's file, `notADatabase` and `corrupt` for a damaged one, which is left as it is.
    ///   `StoreError.slimCopy` for a slim copy.
    public init(_ folder: DataFolder) throws {
        path = folder.libraryDatabase
        let database = try Database(path: path)
        guard database.hasFullTextSearch else {
            throw DatabaseError(.general, message: "this SQLite has no full-text search (FTS5)", path: path)
        }
        try database.migrate(LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        try Self.requireDetails(database)
        // Hashes scatter over the indexes, whose pages change in every transaction: with 64 MB of log instead of 4 they are
        // moved into the file, and waited for, a sixteenth as often.
        try database.execute("PRAGMA wal_autocheckpoint = 16384")
        writer = Mutex(Writer(database: database))
        readers = ConnectionPool(path: path)
    }

    /// Opens a library that is there, for reading.
    /// - Throws: `StoreError.notFound` if there is none, and as above.
    public init(reading folder: DataFolder) throws {
        path = folder.libraryDatabase
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.notFound, "no library here yet: analyse a music folder first", path: path)
        }
        writer = Mutex(nil)
        readers = ConnectionPool(path: path)
        try readers.read { database in
            try database.requireMigrated(
                LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        }
    }

    /// Moves what was written from the log into the database file itself, so that the file alone is the library.
    public func checkpoint() throws {
        try writer.withLock { writer in try writer?.database.checkpoint() }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.withLock { writer in
            guard let database = writer?.database else {
                throw DatabaseError(.readOnly, message: "the library was opened for reading", path: path)
            }
            return try database.transaction(.immediate) {
                let changes: Int? = try database.scalar("SELECT total_changes()")
                let value = try body(database)
                // With the change itself, so that whoever reads sees both or neither. A pass that finds nothing new changes
                // nothing, and what clients have stays good.
                if try database.scalar("SELECT total_changes()") != changes {
                    try database.execute("UPDATE library_state SET revision = revision + 1")
                }
                return value
            }
        }
    }
}
