internal import Foundation
internal import SQLiteDatabase

/// Plays that wait to be sent, in a database: they survive restarts and outages of any length.
///
/// Each write is durable when the call returns. All methods are thread-safe, and block on disk access.
package final class ScrobbleQueue: Sendable {
    /// An account's connection to a service.
    package struct Connection: Hashable, Sendable {
        /// The account's id.
        package let accountID: Int
        /// The service's name.
        package let service: String

        /// Memberwise initializer.
        package init(accountID: Int, service: String) {
            self.accountID = accountID
            self.service = service
        }
    }

    /// A play in the queue.
    package struct Entry: Sendable, Equatable {
        /// The entry's number; later entries have higher numbers.
        package let id: Int
        /// The play.
        package let listen: Listen
    }

    /// Counts, times and the last error of a connection.
    package struct Record: Sendable, Equatable {
        /// Plays that wait.
        package var waitingCount = 0
        /// Plays that were sent since the service was connected.
        package var sentCount = 0
        /// Plays that the service did not take.
        package var rejectedCount = 0
        /// When plays were last sent, in seconds since 1970.
        package var lastSentAt: Double?
        /// The last error; nil once plays were sent again.
        package var error: String?
        /// Whether the service refuses the access until it is connected again.
        package var isRefused = false
    }

    /// "KaSc": marks the file as this program's.
    private static let applicationID: Int32 = 0x4B61_5363

    private static let migrations = [
        Migration(
            "scrobbles",
            sql: """
                CREATE TABLE waiting_listens (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    account_id INTEGER NOT NULL,
                    service TEXT NOT NULL,
                    listened_at INTEGER NOT NULL,
                    artist TEXT NOT NULL,
                    title TEXT NOT NULL,
                    -- A Listen as JSON.
                    listen TEXT NOT NULL,
                    UNIQUE (account_id, service, listened_at, artist, title)
                ) STRICT;
                CREATE TABLE connections (
                    account_id INTEGER NOT NULL,
                    service TEXT NOT NULL,
                    sent_count INTEGER NOT NULL DEFAULT 0,
                    rejected_count INTEGER NOT NULL DEFAULT 0,
                    last_sent_at REAL,
                    error TEXT,
                    is_refused INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (account_id, service)
                ) STRICT, WITHOUT ROWID;
                """)
    ]

    private let queue: DatabaseQueue

    /// Opens the queue; creates it if it is missing.
    /// - Parameter path: the database file.
    /// - Throws: `DatabaseError` if it cannot be used.
    package init(path: String) throws {
        queue = try DatabaseQueue(path: path) { database in
            try database.migrate(Self.migrations, applicationID: Self.applicationID)
            // A play that was accepted must survive a power loss.
            try database.execute("PRAGMA synchronous = FULL")
        }
    }

    /// Adds plays at the end. One that waits already is not added again.
    package func add(_ listens: [Listen], to connection: Connection) throws {
        try queue.write { database in
            for listen in listens {
                let json = String(decoding: try JSONEncoder().encode(listen), as: UTF8.self)
                try database.execute(
                    """
                    INSERT OR IGNORE INTO waiting_listens (account_id, service, listened_at, artist, title, listen)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    [
                        connection.accountID, connection.service, listen.listenedAt, listen.artist,
                        listen.title,
                        json,
                    ])
            }
        }
    }

    /// Returns the next plays to send, the oldest first.
    package func next(_ limit: Int, of connection: Connection) throws -> [Entry] {
        try queue.write { database in
            try database.fetchAll(
                "SELECT id, listen FROM waiting_listens WHERE account_id = ? AND service = ? ORDER BY id LIMIT ?",
                [connection.accountID, connection.service, limit]
            ) { row in
                let json: String = try row["listen"]
                return Entry(
                    id: try row["id"], listen: try JSONDecoder().decode(Listen.self, from: Data(json.utf8)))
            }
        }
    }

    /// Removes plays that a service has dealt with, and counts those that still waited: a play that two senders have sent is
    /// counted once.
    /// - Parameters:
    ///   - sent: entries that it took.
    ///   - rejected: entries that it does not take.
    package func remove(sent: [Int], rejected: [Int], of connection: Connection) throws {
        try queue.write { database in
            let sentCount = try Self.remove(sent, database)
            let rejectedCount = try Self.remove(rejected, database)
            try Self.makeRecord(connection, database)
            try database.execute(
                """
                UPDATE connections SET sent_count = sent_count + ?3, rejected_count = rejected_count + ?4,
                    last_sent_at = CASE WHEN ?3 > 0 THEN ?5 ELSE last_sent_at END, error = NULL
                WHERE account_id = ?1 AND service = ?2
                """,
                [
                    connection.accountID, connection.service, sentCount, rejectedCount,
                    Date().timeIntervalSince1970,
                ])
        }
    }

    /// Returns how many of the entries still waited.
    private static func remove(_ entries: [Int], _ database: Database) throws -> Int {
        let changes = database.totalChangedRowCount
        for id in entries {
            try database.execute("DELETE FROM waiting_listens WHERE id = ?", [id])
        }
        return database.totalChangedRowCount - changes
    }

    /// Records an error.
    /// - Parameter isRefused: whether the service refuses the access until it is connected again.
    package func note(_ error: String, isRefused: Bool, of connection: Connection) throws {
        try queue.write { database in
            try Self.makeRecord(connection, database)
            try database.execute(
                """
                UPDATE connections SET error = ?3, is_refused = max(is_refused, ?4)
                WHERE account_id = ?1 AND service = ?2
                """, [connection.accountID, connection.service, error, isRefused])
        }
    }

    /// Clears counts and errors after a service was connected. Waiting plays are kept.
    package func reset(_ connection: Connection) throws {
        try queue.write { database in
            try database.execute(
                "DELETE FROM connections WHERE account_id = ? AND service = ?",
                [connection.accountID, connection.service])
        }
    }

    /// Removes everything of a connection.
    package func forget(_ connection: Connection) throws {
        try queue.write { database in
            for table in ["waiting_listens", "connections"] {
                try database.execute(
                    "DELETE FROM \(table) WHERE account_id = ? AND service = ?",
                    [connection.accountID, connection.service])
            }
        }
    }

    /// Removes everything of an account.
    package func forget(accountID: Int) throws {
        try queue.write { database in
            for table in ["waiting_listens", "connections"] {
                try database.execute("DELETE FROM \(table) WHERE account_id = ?", [accountID])
            }
        }
    }

    /// Returns counts, times and the last error of a connection.
    package func record(of connection: Connection) throws -> Record {
        try queue.write { database in
            var record =
                try database.fetchOne(
                    """
                    SELECT sent_count, rejected_count, last_sent_at, error, is_refused FROM connections
                    WHERE account_id = ? AND service = ?
                    """, [connection.accountID, connection.service]
                ) { row in
                    Record(
                        sentCount: try row["sent_count"], rejectedCount: try row["rejected_count"],
                        lastSentAt: try row["last_sent_at"], error: try row["error"],
                        isRefused: try row["is_refused"])
                } ?? Record()
            record.waitingCount =
                try database.scalar(
                    "SELECT count(*) FROM waiting_listens WHERE account_id = ? AND service = ?",
                    [connection.accountID, connection.service]) ?? 0
            return record
        }
    }

    private static func makeRecord(_ connection: Connection, _ database: Database) throws {
        try database.execute(
            "INSERT OR IGNORE INTO connections (account_id, service) VALUES (?, ?)",
            [connection.accountID, connection.service])
    }
}
