internal import Foundation
internal import SQLiteDatabase
internal import Synchronization

/// What is to be done and what has happened: `work.sqlite`, which all programs that work on a data folder share.
///
/// The same rules of writing, reading and threads as for ``LibraryStore``. Losing the file loses no music and no analysis:
/// what is to do is found again by looking through the folder.
public final class WorkStore: Sendable {
    /// Proof: the connection is used inside the mutex only.
    private struct Connection: @unchecked Sendable {
        let database: Database
    }

    /// The database file.
    public let path: String
    let folder: DataFolder
    private let writer: Mutex<Connection>
    private let watcher: Mutex<Connection>
    private let readers: ConnectionPool
    /// Told whenever this object has written.
    let changes = ChangeSignal()

    /// Opens the work of a data folder; makes the file, or brings it up to date, first.
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

    /// A number that is another one whenever something was written, by this or another program. It means nothing to another
    /// object.
    public var version: Int {
        get throws { try watcher.withLock { try $0.database.dataVersion } }
    }

    /// Moves what was written from the log into the database file itself.
    public func checkpoint() throws {
        try writer.withLock { try $0.database.checkpoint() }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try readers.read(body)
    }

    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        defer { changes.tell() }
        return try writer.withLock { connection in
            let database = connection.database
            return try database.transaction(.immediate) { try body(database) }
        }
    }
}
