internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// The catalogue and the analyses, in `library.sqlite`.
///
/// One connection writes, and each write is a transaction; so whenever the process is killed, the file
/// contains all writes that had returned and nothing of the current one. Reads use separate connections and
/// see the state before the current write. All methods are thread-safe, and block on disk access.
package final class LibraryStore: Sendable {
    /// The database file.
    package let path: String
    /// Evaluates smart playlists.
    package let smartPlaylists: SmartPlaylists
    private let pool: DatabasePool
    /// Shares the playlists with other hosts; nil for a library that changes its playlists alone.
    let playlistSharing = Mutex<(any SharedPlaylists)?>(nil)

    /// Opens the library of a data folder for reading and writing; creates or migrates it first.
    /// - Throws: `DatabaseError`: `schemaTooNew` for a library of a newer program, `foreignDatabase` for
    ///   another program's file, `notADatabase` and `corrupt` for a damaged one, which is not changed.
    ///   `StoreError.slimCopy` for a slim copy.
    package init(_ folder: DataFolder) throws {
        let path = folder.libraryDatabase
        self.path = path
        smartPlaylists = SmartPlaylists(folder)
        pool = try DatabasePool(path: path) { database in
            guard database.hasFullTextSearch else {
                throw DatabaseError(
                    .general, message: "this SQLite has no full-text search (FTS5)", path: path)
            }
            try database.migrate(LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
            try Self.requireDetails(database)
            // Hashes are scattered over the indexes, so their pages change in every transaction: with a log of
            // 64 MB instead of 4, checkpoints and the waiting for them are 16 times rarer.
            try database.execute("PRAGMA wal_autocheckpoint = 16384")
        }
    }

    /// Opens an existing library read-only.
    /// - Throws: `StoreError.notFound` if there is no library, and as above.
    package init(reading folder: DataFolder) throws {
        path = folder.libraryDatabase
        smartPlaylists = SmartPlaylists(folder)
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.notFound, "there is no library yet; analyse a music folder first", path: path)
        }
        pool = DatabasePool(reading: path)
        try pool.read { database in
            try database.requireMigrated(
                LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        }
    }

    /// Copies the write-ahead log into the database file, so that the file alone is the complete library.
    package func checkpoint() throws { try pool.checkpoint() }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.read(body) }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.write(raisingRevisionOf: "library_state", body)
    }

    /// Writes while another database is attached under a name.
    /// - Parameter preparation: runs in a transaction of its own before.
    func write<Value: Sendable>(
        attaching other: String, as name: StaticString, after preparation: ((Database) throws -> Void)? = nil,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        try pool.write(
            raisingRevisionOf: "library_state", attaching: (other, name), after: preparation, body)
    }
}
