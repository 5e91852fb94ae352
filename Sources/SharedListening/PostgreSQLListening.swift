internal import Foundation
package import LibraryStore
package import PostgreSQLDatabase
internal import Synchronization

/// Listening data that hosts share in a PostgreSQL database: in its schema `audio_companion`, with the tables and columns of
/// `listening.sqlite`.
///
/// Each row has the revision of its last change, so that a host that was away only reads what has changed since. A host that writes
/// locks the row of the state, so that hosts write one after the other. After the loss of a connection, also because another
/// server has taken over, the next call connects again.
package final class PostgreSQLListening: SharedListening {
    /// Name of this program in the server's list of connections.
    private static let programName = "Audio Companion"
    /// Seconds after a failure to connect in which others fail at once: those that have waited for it must not wait again.
    private static let pauseSeconds = 0.5

    /// Safe: a connection is used inside its mutex only.
    private struct Held: @unchecked Sendable {
        var connection: PostgreSQLConnection?
    }

    private let address: PostgreSQLAddress
    private let limits: PostgreSQLConnection.Limits
    private let held = Mutex(Held())
    private let lastFailure = Mutex<(error: PostgreSQLError, at: Double)?>(nil)
    /// Of its own, since waiting would block all others.
    private let listening = Mutex(Held())

    /// - Parameter address: the database. Nothing is connected yet.
    package init(_ address: PostgreSQLAddress, limits: PostgreSQLConnection.Limits = .init()) {
        self.address = address
        self.limits = limits
    }

    /// The servers and the database.
    package var place: String { address.place }

    /// Runs a closure during which no other host changes anything.
    package func write<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value {
        try run(isWriting: true, body)
    }

    /// Runs a closure that reads one state.
    package func read<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value {
        try run(isWriting: false, body)
    }

    /// Waits until another host may have changed something, at most for a time.
    package func waitForChange(seconds: Double) throws {
        try listening.withLock { held in
            do throws(PostgreSQLError) {
                let known = held.connection.flatMap { $0.isUsable ? $0 : nil }
                held.connection = nil
                let connection: PostgreSQLConnection
                if let known {
                    connection = known
                } else {
                    connection = try connect()
                    try connection.execute("LISTEN \(PostgreSQLTransaction.channel)")
                }
                _ = try connection.waitForNotification(seconds: seconds)
                held.connection = connection
            } catch {
                throw described(error)
            }
        }
    }

    private func run<Value>(
        isWriting: Bool, _ body: (any SharedTransaction) throws -> Value
    ) throws -> Value {
        try held.withLock { held in
            do {
                let transaction = try begin(held.connection, isWriting: isWriting)
                held.connection = nil
                defer {
                    transaction.end()
                    held.connection = transaction.connection
                }
                return try body(transaction)
            } catch let error as PostgreSQLError {
                throw described(error)
            }
        }
    }

    private func begin(
        _ known: PostgreSQLConnection?, isWriting: Bool
    ) throws(PostgreSQLError) -> PostgreSQLTransaction {
        if let known, known.isUsable {
            do throws(PostgreSQLError) {
                return try PostgreSQLTransaction(known, isWriting: isWriting, connect: connect)
            } catch {
                // Nothing has happened yet. The server was restarted, or another has taken over.
                guard error.kind == .lost || error.sqlState == PostgreSQLError.readOnlyServer else {
                    throw error
                }
            }
        }
        return try PostgreSQLTransaction(connect(), isWriting: isWriting, connect: connect)
    }

    private func connect() throws(PostgreSQLError) -> PostgreSQLConnection {
        let failure = lastFailure.withLock { $0 }
        if let failure, ProcessInfo.processInfo.systemUptime < failure.at + Self.pauseSeconds {
            throw failure.error
        }
        do throws(PostgreSQLError) {
            let connection = try PostgreSQLConnection(address, name: Self.programName, limits: limits)
            try PostgreSQLTransaction.prepare(connection)
            lastFailure.withLock { $0 = nil }
            return connection
        } catch {
            lastFailure.withLock { $0 = (error, ProcessInfo.processInfo.systemUptime) }
            throw error
        }
    }

    private func described(_ error: PostgreSQLError) -> SharedListeningError {
        // Class 40: rolled back; 53: resources; 55: a lock; 57: shutting down.
        let isPassing = ["40", "53", "55", "57"].contains(error.sqlState?.prefix(2) ?? "")
        return SharedListeningError(isAway: error.kind != .refused || isPassing, "\(place): \(error)")
    }
}

extension PostgreSQLError {
    /// The code of a server that only reads, since another one has taken over.
    static let readOnlyServer = "25006"
}
