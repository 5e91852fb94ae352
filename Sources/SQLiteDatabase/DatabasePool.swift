internal import Synchronization

/// One connection that writes, and read-only connections, one per concurrent reader.
///
/// Each write is a transaction; so whenever the process is killed, the file contains all writes that had returned and nothing
/// of the current one. Readers see the state before the current write. All methods are thread-safe, and block on disk access.
package final class DatabasePool: Sendable {
    /// Safe: a connection is either in the pool or used by exactly one borrower.
    private struct Idle: @unchecked Sendable {
        let database: Database
    }

    private static let capacity = 8

    /// The database file.
    package let path: String
    /// Nil if the database was opened read-only.
    private let writer: DatabaseQueue?
    private let prepareReader: @Sendable (Database) throws -> Void
    private let idle = Mutex<[Idle]>([])

    /// Opens a database file for reading and writing.
    /// - Parameters:
    ///   - options: options of the connection that writes.
    ///   - prepare: called with the connection that writes, for migrations and settings.
    ///   - prepareReader: called with each connection for reading.
    /// - Throws: `DatabaseError` as for ``Database``, and errors of the closure.
    package init(
        path: String, options: Database.Options = .init(),
        prepare: (Database) throws -> Void = { _ in },
        prepareReader: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws {
        self.path = path
        self.prepareReader = prepareReader
        writer = try DatabaseQueue(path: path, options: options, prepare: prepare)
    }

    /// Opens an existing database file read-only.
    package init(reading path: String) {
        self.path = path
        prepareReader = { _ in }
        writer = nil
    }

    private func opened() throws -> Database {
        let database = try Database(path: path, options: .init(access: .readOnly))
        try prepareReader(database)
        return database
    }

    /// Runs a closure in a transaction in which all reads are consistent.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try idle.withLock { $0.popLast() }?.database ?? opened()
        defer {
            let idle = Idle(database: database)
            self.idle.withLock { if $0.count < Self.capacity { $0.append(idle) } }
        }
        return try database.transaction(.deferred) { try body(database) }
    }

    /// Runs a closure in a transaction that may write.
    /// - Throws: errors of the closure; `readOnly` if the database was opened read-only.
    package func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try writable().write(body)
    }

    /// Runs a closure in a transaction that may write, and raises a table's revision if it has changed anything; see
    /// ``DatabaseQueue``.
    /// - Parameters:
    ///   - other: an existing database file that is attached under a name in the meantime.
    ///   - preparation: runs in a transaction of its own before, with the database attached.
    package func write<Value: Sendable>(
        raisingRevisionOf table: StaticString, attaching other: (path: String, name: StaticString)? = nil,
        after preparation: ((Database) throws -> Void)? = nil, _ body: (Database) throws -> Value
    ) throws -> Value {
        try writable().write(raisingRevisionOf: table, attaching: other, after: preparation, body)
    }

    /// Copies the write-ahead log into the database file, so that the file alone is complete.
    package func checkpoint() throws { try writer?.checkpoint() }

    private func writable() throws -> DatabaseQueue {
        guard let writer else {
            throw DatabaseError(.readOnly, message: "the database was opened read-only", path: path)
        }
        return writer
    }
}
