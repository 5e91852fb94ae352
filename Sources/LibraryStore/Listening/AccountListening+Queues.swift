package import Foundation
package import MusicShared
internal import SQLiteDatabase

/// The play queue that an account saved, to be continued in another app.
package struct SavedQueue: Sendable, Equatable {
    /// The entry that was playing, counted from 0; nil for an empty queue.
    package var currentIndex: Int?
    /// The position in this entry, in milliseconds.
    package var positionMilliseconds: Int
    /// When it was saved, in seconds since 1970.
    package var changedAt: Double
    /// The app that saved it.
    package var changedBy: String
    /// The tracks that are still in the library, with their listening state.
    package var tracks: [TrackItem]
}

/// A position in a track, kept to go on from later.
package struct Bookmark: Sendable, Equatable {
    /// The track, with its listening state.
    package var track: TrackItem
    /// The position, in milliseconds.
    package var positionMilliseconds: Int
    /// A note by the listener.
    package var comment: String?
    /// When it was created, in seconds since 1970.
    package var createdAt: Double
    /// When it last changed, in seconds since 1970.
    package var changedAt: Double
}

extension AccountListening {
    /// Identity of a track in this store.
    private struct Known {
        let hash: [UInt8]
        let place: String
    }

    /// Returns the identity of a track; nil where it is not in the library.
    private func known(_ id: Int) throws -> Known? {
        try store.read { database in
            try database.fetchOne("SELECT audio_hash, relative_path FROM tracks WHERE id = ?", [id]) { row in
                Known(hash: try row["audio_hash"], place: try row["relative_path"])
            }
        }
    }

    /// SQL for the track of a stored identity: at its path, else wherever its audio is now.
    private static let currentTrack = """
        coalesce(
            (SELECT tracks.id FROM tracks WHERE tracks.audio_hash = stored.audio_hash
                AND tracks.relative_path = stored.place AND tracks.unavailable_since_ms IS NULL),
            (SELECT tracks.id FROM tracks WHERE tracks.audio_hash = stored.audio_hash
                ORDER BY tracks.unavailable_since_ms IS NOT NULL, tracks.id LIMIT 1))
        """

    /// Replaces the play queue.
    /// - Parameters:
    ///   - trackIDs: the tracks in order; ids that the library does not have are left out.
    ///   - currentIndex: the playing entry, counted from 0 in `trackIDs`.
    package func saveQueue(
        trackIDs: [Int], currentIndex: Int?, positionMilliseconds: Int, changedBy: String,
        now: Date = Date()
    ) throws {
        var current: Int?
        var entries: [Known] = []
        // In one read: a queue has thousands of tracks.
        let known = try store.read { database in
            try database.fetchAll(
                """
                SELECT wanted.key, tracks.audio_hash, tracks.relative_path FROM json_each(?) AS wanted
                CROSS JOIN tracks ON tracks.id = wanted.value ORDER BY wanted.key
                """, [NumberList(trackIDs)]
            ) { row -> (Int, Known) in
                (try row["key"], Known(hash: try row["audio_hash"], place: try row["relative_path"]))
            }
        }
        for (index, track) in known {
            if index == currentIndex { current = entries.count }
            entries.append(track)
        }
        try store.write { [current, entries] database in
            try database.execute("DELETE FROM play_queue_entries WHERE account_id = ?", [accountID])
            try database.execute(
                """
                INSERT OR REPLACE INTO play_queues
                    (account_id, current_index, position_ms, changed_at_ms, changed_by) VALUES (?, ?, ?, ?, ?)
                """, [accountID, current, positionMilliseconds, now.storedMilliseconds, changedBy])
            for (number, entry) in entries.enumerated() {
                try database.execute(
                    "INSERT INTO play_queue_entries (account_id, number, audio_hash, place) VALUES (?, ?, ?, ?)",
                    [accountID, number, entry.hash, entry.place])
            }
        }
    }

    /// Returns the play queue; nil where none was saved.
    package func queue() throws -> SavedQueue? {
        try look { reader in
            let saved = try reader.database.fetchOne(
                "SELECT current_index, position_ms, changed_at_ms, changed_by FROM play_queues WHERE account_id = ?",
                [accountID]
            ) { row -> SavedQueue in
                let changed: Int = try row["changed_at_ms"]
                return SavedQueue(
                    currentIndex: try row["current_index"], positionMilliseconds: try row["position_ms"],
                    changedAt: Double(changed) / 1000, changedBy: try row["changed_by"], tracks: [])
            }
            guard var queue = saved else { return nil }
            let rows = try reader.database.fetchAll(
                """
                SELECT number, \(Self.currentTrack) AS track_id FROM play_queue_entries AS stored
                WHERE account_id = ? ORDER BY number
                """, [accountID]
            ) { row -> (number: Int, id: Int?) in (try row["number"], try row["track_id"]) }
            let wanted = queue.currentIndex
            queue.currentIndex = nil
            let found = try reader.tracks(ids: rows.compactMap(\.id))
            let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
            for (number, id) in rows {
                guard let track = id.flatMap({ byID[$0] }) else { continue }
                if number == wanted { queue.currentIndex = queue.tracks.count }
                queue.tracks.append(track)
            }
            return queue
        }
    }

    /// Adds or replaces the bookmark in a track.
    /// - Returns: whether the library has the track.
    package func setBookmark(
        trackID: Int, positionMilliseconds: Int, comment: String?, now: Date = Date()
    ) throws -> Bool {
        guard let track = try known(trackID) else { return false }
        try store.write { database in
            try database.execute(
                """
                INSERT INTO bookmarks
                    (account_id, audio_hash, place, position_ms, comment, created_at_ms, changed_at_ms)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)
                ON CONFLICT DO UPDATE SET position_ms = ?4, comment = ?5, changed_at_ms = ?6
                """,
                [accountID, track.hash, track.place, positionMilliseconds, comment, now.storedMilliseconds])
        }
        return true
    }

    /// Removes the bookmark in a track.
    /// - Returns: whether there was one.
    package func removeBookmark(trackID: Int) throws -> Bool {
        guard let track = try known(trackID) else { return false }
        return try store.write { database in
            try database.execute(
                "DELETE FROM bookmarks WHERE account_id = ? AND audio_hash = ?", [accountID, track.hash])
            return database.changedRowCount > 0
        }
    }

    /// Returns the bookmarks in tracks that are in the library, the latest change first.
    package func bookmarks() throws -> [Bookmark] {
        try look { reader in
            let rows = try reader.database.fetchAll(
                """
                SELECT position_ms, comment, created_at_ms, changed_at_ms, \(Self.currentTrack) AS track_id
                FROM bookmarks AS stored WHERE account_id = ? ORDER BY changed_at_ms DESC, place
                """, [accountID]
            ) { row -> (position: Int, comment: String?, created: Int, changed: Int, id: Int?) in
                (
                    try row["position_ms"], try row["comment"], try row["created_at_ms"],
                    try row["changed_at_ms"], try row["track_id"]
                )
            }
            let found = try reader.tracks(ids: rows.compactMap(\.id))
            let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
            return rows.compactMap { row in
                guard let track = row.id.flatMap({ byID[$0] }) else { return nil }
                return Bookmark(
                    track: track, positionMilliseconds: row.position, comment: row.comment,
                    createdAt: Double(row.created) / 1000, changedAt: Double(row.changed) / 1000)
            }
        }
    }
}
