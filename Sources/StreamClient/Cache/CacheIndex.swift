internal import SQLiteDatabase

/// The persistent state of the cache: which files it has, their versions, and when they were last used.
struct CacheIndex: Sendable {
    /// One file.
    struct Entry: Sendable {
        var trackID: Int
        var state: CachedFile.State
        var entityTag: String?
        var totalBytes: Int?
        var isKept: Bool
        /// Increases with every use; a larger value means used more recently.
        var lastUse: Int
    }

    private let queue: DatabaseQueue

    init(path: String) throws {
        queue = try DatabaseQueue(path: path) { database in
            try database.executeScript(
                """
                CREATE TABLE IF NOT EXISTS files (
                    track_id INTEGER PRIMARY KEY,
                    state TEXT NOT NULL,
                    failure TEXT,
                    entity_tag TEXT,
                    total_bytes INTEGER,
                    is_kept INTEGER NOT NULL,
                    last_use INTEGER NOT NULL
                ) STRICT
                """)
        }
    }

    /// Returns all files, least recently used first. Interrupted downloads are returned as pending.
    func entries() throws -> [Entry] {
        try queue.read { database in
            try database.fetchAll("SELECT * FROM files ORDER BY last_use") { row in
                let state: String = try row["state"]
                let failure: String? = try row["failure"]
                return Entry(
                    trackID: try row["track_id"],
                    state: state == "complete"
                        ? .complete : state == "failed" ? .failed(reason: failure ?? "") : .pending,
                    entityTag: try row["entity_tag"], totalBytes: try row["total_bytes"],
                    isKept: try row["is_kept"], lastUse: try row["last_use"])
            }
        }
    }

    func store(_ entry: Entry) throws {
        var failure: String?
        let state: String
        switch entry.state {
        case .complete: state = "complete"
        case .pending, .downloading: state = "pending"
        case .failed(let reason):
            state = "failed"
            failure = reason
        }
        try queue.write { [failure] database in
            try database.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    entry.trackID, state, failure, entry.entityTag, entry.totalBytes, entry.isKept,
                    entry.lastUse,
                ])
        }
    }

    func remove(_ trackID: Int) throws {
        try queue.write { try $0.execute("DELETE FROM files WHERE track_id = ?", [trackID]) }
    }
}
