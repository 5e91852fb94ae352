internal import MusicShared
internal import SQLiteDatabase
internal import Synchronization

/// The accounts as they are now, kept in memory.
///
/// Every request asks for its account. So the table is read again only when the database has changed, through a connection of
/// its own: it sees changes of this and of other programs, and never waits for a write.
final class AccountDirectory: Sendable {
    private struct State {
        var version: Int?
        var accounts: [Account] = []
    }

    private let connection: DatabaseQueue
    private let state = Mutex(State())

    /// - Parameter path: the database with the table of accounts.
    init(path: String) throws { connection = try .watching(path) }

    /// All accounts in the order in which they were created.
    var accounts: [Account] {
        get throws {
            try state.withLock { state in
                try connection.withDatabase { database in
                    let version = try database.dataVersion
                    if version != state.version {
                        state.accounts = try Self.read(database)
                        state.version = version
                    }
                    return state.accounts
                }
            }
        }
    }

    /// Reads the accounts of a database.
    static func read(_ database: Database) throws -> [Account] {
        try database.fetchAll("SELECT id, name, role, email, created_at_ms FROM accounts ORDER BY id") {
            row in
            let role: String = try row["role"]
            let created: Int = try row["created_at_ms"]
            // A role of a newer program gives the fewest rights.
            return Account(
                id: try row["id"], name: try row["name"], role: AccountRole(rawValue: role) ?? .listener,
                email: try row["email"], createdAt: Double(created) / 1000)
        }
    }
}
