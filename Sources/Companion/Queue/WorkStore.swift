internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// Pending work and the event log in `work.sqlite`, shared by all programs that use a data folder.
///
/// The rules for writing, reading and threads are those of ``LibraryStore``. Losing the file loses no music
/// and no analysis: a scan of the folder finds the remaining work again.
public final class WorkStore: Sendable {
    /// Safe: the connection is used inside the mutex only.
    private struct Connection: @unchecked Sendable {
        let database: Database
    }

    /// The database file.
    public let path: String
    let folder: DataFolder
    private let writer: Mutex<Connection>
    private let watcher: Mutex<Connection>
    private let readers: ConnectionPool
    /// Signalled after each write by this object.
    let changes = ChangeSignal()

    /// Opens the work store of a data folder; creates or migrates the file first.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    public init(_ folder: DataFolder) throws {
        self.folder = folder
        path = folder.workDatabase
        let database = try Database(
            path: path, options: .init(busyTimeoutMilliseconds: 30_000, cacheKibibytes: 2_048))
        try database.migrate(WorkSchema.migrations, applicationID: WorkSchema.applicationID)
        writer = Mutex(Connection(database: database))
        watcher = Mutex(
            Connection(
                database: try Database(path: path, options: .init(access: .readOnly, cacheKibibytes: 64))))
        readers = ConnectionPool(path: path)
    }

    /// A number that changes whenever this or another program has written to the database. It is only
    /// comparable for the same object.
    public var version: Int {
        get throws { try watcher.withLock { try $0.database.dataVersion } }
    }

    /// Copies the write-ahead log into the database file.
    public func checkpoint() throws {
        try writer.withLock { try $0.database.checkpoint() }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        defer { changes.signal() }
        return try writer.withLock { connection in
            let database = connection.database
            return try database.transaction(.immediate) { try body(database) }
        }
    }
}
