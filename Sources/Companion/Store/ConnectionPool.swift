internal import SQLiteDatabase
internal import Synchronization

/// Connections for reading: as many as there are readers at the same time.
final class ConnectionPool: Sendable {
    /// Proof: a connection is either in the pool or in the hands of the one borrower, never both.
    private struct Idle: @unchecked Sendable {
        let database: Database
    }

    private static let capacity = 8
    private let path: String
    private let prepare: @Sendable (Database) throws -> Void
    private let idle = Mutex<[Idle]>([])

    /// - Parameter prepare: what is done to each connection first.
    init(path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }) {
        self.path = path
        self.prepare = prepare
    }

    private func opened() throws -> Database {
        let database = try Database(path: path, options: .init(access: .readOnly))
        try prepare(database)
        return database
    }

    /// Lends a connection, in a transaction, so that all reads of the body agree with each other.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let database = try idle.withLock { $0.popLast() }?.database ?? opened()
        defer {
            let idle = Idle(database: database)
            self.idle.withLock { if $0.count < Self.capacity { $0.append(idle) } }
        }
        return try database.transaction(.deferred) { try body(database) }
    }
}
