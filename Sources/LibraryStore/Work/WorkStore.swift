internal import Foundation
package import SQLiteDatabase

/// Pending work and the event log in `work.sqlite`, shared by all programs that use a data folder.
///
/// The rules for writing, reading and threads are those of ``LibraryStore``. Losing the file loses no music
/// and no analysis: a scan of the folder finds the remaining work again.
package final class WorkStore: Sendable {
    /// The database file.
    package let path: String
    let folder: DataFolder
    private let pool: DatabasePool
    private let watcher: DatabaseQueue
    /// Signalled after each write by this object.
    package let changes = ChangeSignal()

    /// Opens the work store of a data folder; creates or migrates the file first.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    package init(_ folder: DataFolder) throws {
        self.folder = folder
        path = folder.workDatabase
        pool = try DatabasePool(
            path: path, options: .init(busyTimeoutMilliseconds: 30_000, cacheKibibytes: 2_048)
        ) { database in
            try database.migrate(WorkSchema.migrations, applicationID: WorkSchema.applicationID)
        }
        watcher = try .watching(path)
    }

    /// A number that changes whenever this or another program has written to the database. It is only
    /// comparable for the same object.
    package var version: Int {
        get throws { try watcher.dataVersion }
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint() throws {
        try pool.checkpoint()
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try pool.read(body) }

    package func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        defer { changes.signal() }
        return try pool.write(body)
    }
}
