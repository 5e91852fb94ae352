package import Foundation
package import LibraryStore
internal import Secrets
internal import SQLiteDatabase

/// A share: an address that opens some tracks, albums or playlists without a key.
package struct Share: Sendable, Equatable {
    /// An item of a share.
    package enum Item: Sendable, Hashable {
        case track(Int)
        case album(Int)
        case playlist(Int)
    }

    package let id: Int
    /// The random part of its address.
    package let secret: String
    /// The account that created it.
    package let accountID: Int
    package let description: String?
    /// When it was created, in seconds since 1970.
    package let createdAt: Double
    /// When it expires, in seconds since 1970; nil if never.
    package let expiresAt: Double?
    /// When its page was last opened, in seconds since 1970; nil if never.
    package let lastVisitedAt: Double?
    /// Number of times that its page was opened.
    package let visitCount: Int
    package let items: [Item]

    /// The folder of the addresses of all shares.
    package static let folder = "/share/"

    /// Path of its page.
    package var path: String { "\(Self.folder)\(secret)" }

    /// Returns whether the share has expired.
    package func isExpired(at now: Date) -> Bool {
        expiresAt.map { $0 <= now.timeIntervalSince1970 } ?? false
    }
}

/// The shares of all accounts, in `shares.sqlite`, which only its owner can read: addresses are shown again, so they are stored.
///
/// All methods are thread-safe, and block on disk access.
package final class ShareStore: Sendable {
    /// Random bytes of an address: 160 bits.
    private static let secretLength = 20
    /// "KaSh": marks the file as this program's.
    private static let applicationID: Int32 = 0x4B61_5368

    private static let migrations = [
        Migration(
            "shares",
            sql: """
                CREATE TABLE shares (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    secret TEXT NOT NULL UNIQUE,
                    account_id INTEGER NOT NULL,
                    description TEXT,
                    created_at REAL NOT NULL,
                    expires_at REAL,
                    last_visited_at REAL,
                    visit_count INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE share_items (
                    share_id INTEGER NOT NULL REFERENCES shares ON DELETE CASCADE,
                    position INTEGER NOT NULL,
                    kind TEXT NOT NULL CHECK (kind IN ('track', 'album', 'playlist')),
                    item_id INTEGER NOT NULL,
                    PRIMARY KEY (share_id, position)
                ) STRICT, WITHOUT ROWID;
                """)
    ]

    private static let columns =
        "id, secret, account_id, description, created_at, expires_at, last_visited_at, visit_count"

    private let queue: DatabaseQueue

    /// Opens the shares of a data folder; creates the file if it is missing.
    /// - Throws: `DatabaseError` if it cannot be used.
    package init(_ data: DataFolder) throws {
        queue = try DatabaseQueue(path: data.shareDatabase) { database in
            try database.migrate(Self.migrations, applicationID: Self.applicationID)
            // A revoked share must not return after a power loss.
            try database.execute("PRAGMA synchronous = FULL")
        }
    }

    /// Creates a share with a random address.
    package func add(
        accountID: Int, items: [Share.Item], description: String?, expiresAt: Double?, now: Date = Date()
    ) throws -> Share {
        let secret = Base64URL.encode(SecretBytes(random: Self.secretLength).bytes)
        return try queue.write { database in
            try database.execute(
                """
                INSERT INTO shares (secret, account_id, description, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?)
                """, [secret, accountID, description, now.timeIntervalSince1970, expiresAt])
            let id: Int = try database.scalar("SELECT last_insert_rowid()") ?? 0
            for (position, item) in items.enumerated() {
                let (kind, number) =
                    switch item {
                    case .track(let number): ("track", number)
                    case .album(let number): ("album", number)
                    case .playlist(let number): ("playlist", number)
                    }
                try database.execute(
                    "INSERT INTO share_items (share_id, position, kind, item_id) VALUES (?, ?, ?, ?)",
                    [id, position, kind, number])
            }
            return Share(
                id: id, secret: secret, accountID: accountID, description: description,
                createdAt: now.timeIntervalSince1970, expiresAt: expiresAt, lastVisitedAt: nil, visitCount: 0,
                items: items)
        }
    }

    /// Returns the shares of an account in the order in which they were created, expired ones too.
    package func list(accountID: Int) throws -> [Share] {
        try queue.write { database in
            try Self.shares("account_id = ? ORDER BY id", [accountID], database)
        }
    }

    /// Returns a share of an account; nil if it has none with this id.
    package func share(id: Int, accountID: Int) throws -> Share? {
        try queue.write { try Self.shares("id = ? AND account_id = ?", [id, accountID], $0).first }
    }

    /// Returns the share with an address; nil if it was revoked or has expired.
    /// - Parameter isVisit: whether its page is being opened.
    package func share(secret: String, isVisit: Bool = false, now: Date = Date()) throws -> Share? {
        try queue.write { database in
            guard let share = try Self.shares("secret = ?", [secret], database).first,
                !share.isExpired(at: now)
            else { return nil }
            if isVisit {
                try database.execute(
                    "UPDATE shares SET visit_count = visit_count + 1, last_visited_at = ? WHERE id = ?",
                    [now.timeIntervalSince1970, share.id])
            }
            return share
        }
    }

    /// Changes a share of an account. Values that are nil stay as they are.
    /// - Parameters:
    ///   - description: the new description; nil inside removes it.
    ///   - expiresAt: the new time, in seconds since 1970; nil inside: it never expires.
    /// - Returns: whether the account has such a share.
    package func update(id: Int, accountID: Int, description: String??, expiresAt: Double??) throws -> Bool {
        try queue.write { database in
            guard try !Self.shares("id = ? AND account_id = ?", [id, accountID], database).isEmpty else {
                return false
            }
            if let description {
                try database.execute("UPDATE shares SET description = ? WHERE id = ?", [description, id])
            }
            if let expiresAt {
                try database.execute("UPDATE shares SET expires_at = ? WHERE id = ?", [expiresAt, id])
            }
            return true
        }
    }

    /// Revokes a share of an account.
    /// - Returns: whether the account had such a share.
    package func remove(id: Int, accountID: Int) throws -> Bool {
        try queue.write { database in
            try database.execute("DELETE FROM shares WHERE id = ? AND account_id = ?", [id, accountID])
            return database.changedRowCount > 0
        }
    }

    /// Revokes all shares of an account.
    package func removeAll(ofAccount accountID: Int) throws {
        try queue.write { try $0.execute("DELETE FROM shares WHERE account_id = ?", [accountID]) }
    }

    private static func shares(
        _ condition: String, _ arguments: [(any DatabaseBindable)?], _ database: Database
    ) throws -> [Share] {
        try database.fetchAll("SELECT \(columns) FROM shares WHERE \(condition)", arguments) { row in
            let id: Int = try row["id"]
            let items = try database.fetchAll(
                "SELECT kind, item_id FROM share_items WHERE share_id = ? ORDER BY position", [id]
            ) { row -> Share.Item in
                let kind: String = try row["kind"]
                let number: Int = try row["item_id"]
                return kind == "track" ? .track(number) : kind == "album" ? .album(number) : .playlist(number)
            }
            return Share(
                id: id, secret: try row["secret"], accountID: try row["account_id"],
                description: try row["description"], createdAt: try row["created_at"],
                expiresAt: try row["expires_at"], lastVisitedAt: try row["last_visited_at"],
                visitCount: try row["visit_count"], items: items)
        }
    }
}
