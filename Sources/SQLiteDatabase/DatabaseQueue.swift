internal import Synchronization

/// One connection that threads use one after the other.
///
/// All methods are thread-safe, and block while another thread uses the connection and during disk access.
package final class DatabaseQueue: Sendable {
    /// Safe: the connection is used inside the mutex only.
    private struct Held: @unchecked Sendable {
        let database: Database
    }

    /// The database file.
    package let path: String
    private let held: Mutex<Held>

    /// Opens a database file.
    /// - Parameter prepare: called with the connection, for migrations and settings.
    /// - Throws: `DatabaseError` as for ``Database``, and errors of the closure.
    package init(
        path: String, options: Database.Options = .init(), prepare: (Database) throws -> Void = { _ in }
    ) throws {
        self.path = path
        let database = try Database(path: path, options: options)
        try prepare(database)
        held = Mutex(Held(database: database))
    }

    /// Opens a read-only connection that watches for changes of the file: see ``dataVersion``.
    package static func watching(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, options: .init(access: .readOnly, cacheKibibytes: 64))
    }

    /// Runs a closure with the connection, outside of a transaction.
    package func withDatabase<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try held.withLock { try body($0.database) }
    }

    /// Runs a closure in a transaction in which all reads are consistent.
    package func read<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try withDatabase { database in try database.transaction(.deferred) { try body(database) } }
    }

    /// Runs a closure in a transaction that may write.
    package func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try withDatabase { database in try database.transaction(.immediate) { try body(database) } }
    }

    /// Runs a closure in a transaction, and raises a table's revision in the same transaction if the closure has changed
    /// anything: readers see both or neither, and clients' caches stay valid if nothing has changed.
    /// - Parameters:
    ///   - table: a table of one row with the column `revision`.
    ///   - other: an existing database file that is attached under a name in the meantime.
    ///   - preparation: runs in a transaction of its own before, with the database attached.
    package func write<Value: Sendable>(
        raisingRevisionOf table: StaticString, attaching other: (path: String, name: StaticString)? = nil,
        after preparation: ((Database) throws -> Void)? = nil, _ body: (Database) throws -> Value
    ) throws -> Value {
        try withDatabase { database in
            if let other { try database.attach(other.path, as: other.name) }
            // After the transaction: a database cannot be detached inside one.
            defer { if let other { try? database.execute("DETACH \(other.name)") } }
            if let preparation { try Self.write(raisingRevisionOf: table, in: database, preparation) }
            return try Self.write(raisingRevisionOf: table, in: database, body)
        }
    }

    private static func write<Value>(
        raisingRevisionOf table: StaticString, in database: Database, _ body: (Database) throws -> Value
    ) throws -> Value {
        try database.transaction(.immediate) {
            let changes = database.totalChangedRowCount
            let value = try body(database)
            if database.totalChangedRowCount != changes {
                try database.execute("UPDATE \(table) SET revision = revision + 1")
            }
            return value
        }
    }

    /// A number that changes whenever another connection, of this or another program, has written to the database. It is only
    /// comparable for the same object.
    package var dataVersion: Int {
        get throws { try withDatabase { try $0.dataVersion } }
    }

    /// Copies the write-ahead log into the database file.
    package func checkpoint() throws { try withDatabase { try $0.checkpoint() } }
}
