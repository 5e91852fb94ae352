internal import SQLiteDatabase
internal import Synchronization

/// A pool of read-only connections: one per concurrent reader.
final class ConnectionPool: Sendable {
    /// Safe: a connection is either in the pool or used by exactly one borrower.
    private struct Idle: @unchecked Sendable {
        let database: Database
    }

    private static let capacity = 8
    private let path: String
    private let prepare: @Sendable (Database) throws -> Void
    private let idle = Mutex<[Idle]>([])

    /// - Parameter prepare: called with each new connection.
    init(path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) {
        self.path = path
        self.prepare = prepare
    }

    private func opened() throws -> Database {
        let database = try Database(path: path, options: .init(access: .readOnly))
        try prepare(database)
        return database
    }

    /// Runs `body` with a connection in a transaction, so that all its reads are consistent.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try idle.withLock { $0.popLast() }?.database ?? opened()
        defer {
            let idle = Idle(database: database)
            self.idle.withLock { if $0.count < Self.capacity { $0.append(idle) } }
        }
        return try database.transaction(.deferred) { try body(database) }
    }
}
