internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// The catalogue and the analyses, in `library.sqlite`.
///
/// One connection writes, and each write is a transaction; so whenever the process is killed, the file
/// contains all writes that had returned and nothing of the current one. Reads use separate connections and
/// see the state before the current write. All methods are thread-safe, and block on disk access.
public final class LibraryStore: Sendable {
    /// Safe: the connection is used inside the mutex only.
    private struct Writer: @unchecked Sendable {
        let database: Database
    }

    /// The database file.
    public let path: String
    /// Nil if the library was opened read-only.
    private let writer: Mutex<Writer?>
    private let readers: ConnectionPool

    /// Opens the library of a data folder for reading and writing; creates or migrates it first.
    /// - Throws: `DatabaseError`: `schemaTooNew` for a library of a newer program, `foreignDatabase` for
    ///   another program's file, `notADatabase` and `corrupt` for a damaged one, which is not changed.
    ///   `StoreError.slimCopy` for a slim copy.
    public init(_ folder: DataFolder) throws {
        path = folder.libraryDatabase
        let database = try Database(path: path)
        guard database.hasFullTextSearch else {
            throw DatabaseError(.general, message: "this SQLite has no full-text search (FTS5)", path: path)
        }
        try database.migrate(LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        try Self.requireDetails(database)
        // Hashes are scattered over the indexes, so their pages change in every transaction: with a log of 64
        // MB instead of 4, checkpoints and the waiting for them are 16 times rarer.
        try database.execute("PRAGMA wal_autocheckpoint = 16384")
        writer = Mutex(Writer(database: database))
        readers = ConnectionPool(path: path)
    }

    /// Opens an existing library read-only.
    /// - Throws: `StoreError.notFound` if there is no library, and as above.
    public init(reading folder: DataFolder) throws {
        path = folder.libraryDatabase
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.notFound, "there is no library yet; analyse a music folder first", path: path)
        }
        writer = Mutex(nil)
        readers = ConnectionPool(path: path)
        try readers.read { database in
            try database.requireMigrated(
                LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        }
    }

    /// Copies the write-ahead log into the database file, so that the file alone is the complete library.
    public func checkpoint() throws {
        try writer.withLock { writer in try writer?.database.checkpoint() }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try writer.withLock { writer in
            guard let database = writer?.database else {
                throw DatabaseError(.readOnly, message: "the library was opened read-only", path: path)
            }
            return try database.transaction(.immediate) {
                let changes: Int? = try database.scalar("SELECT total_changes()")
                let value = try body(database)
                // In the same transaction as the change, so that readers see both or neither. A pass that
                // finds nothing new changes nothing, and clients' caches stay valid.
                if try database.scalar("SELECT total_changes()") != changes {
                    try database.execute("UPDATE library_state SET revision = revision + 1")
                }
                return value
            }
        }
    }
}
