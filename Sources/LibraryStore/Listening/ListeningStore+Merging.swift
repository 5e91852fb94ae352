internal import Analyzer
internal import SQLiteDatabase

extension ListeningStore {
    /// A track as listening data knows it.
    package struct TrackPlace: Sendable {
        let audioHash: AudioHash
        let path: RelativePath

        package init(_ track: CatalogueTrack) {
            audioHash = track.audioHash
            path = track.path
        }
    }

    /// Carries what all accounts have of a track over to another one, before its file is removed: stars, ratings, plays,
    /// bookmarks and places in play queues. Where both have a rating, that of the second stays.
    package func carryOver(from lost: TrackPlace, to kept: TrackPlace) throws {
        let (from, to) = (
            [lost.audioHash.bytes, lost.path.text] as [any DatabaseBindable],
            [kept.audioHash.bytes, kept.path.text] as [any DatabaseBindable]
        )
        try write { database in
            let rows = try database.fetchAll(
                "SELECT id, account_id FROM listened WHERE kind = 'track' AND audio_hash = ? AND place = ?",
                from
            ) { row -> (id: Int, accountID: Int) in (try row["id"], try row["account_id"]) }
            for (id, accountID) in rows {
                let target: Int? = try database.scalar(
                    """
                    SELECT id FROM listened
                    WHERE kind = 'track' AND audio_hash = ? AND place = ? AND account_id = ?
                    """, to + [accountID])
                if let target {
                    try Self.add(id, to: target, database)
                } else {
                    try database.execute(
                        "UPDATE listened SET audio_hash = ?, place = ? WHERE id = ?", to + [id])
                }
            }
            for table in ["bookmarks", "play_queue_entries"] {
                try database.execute(
                    "UPDATE OR IGNORE \(table) SET audio_hash = ?, place = ? WHERE audio_hash = ? AND place = ?",
                    to + from)
            }
            try database.execute("DELETE FROM bookmarks WHERE audio_hash = ? AND place = ?", from)
        }
    }

    /// Adds the stars, rating and plays of one item to another of the same account, and deletes it.
    private static func add(_ id: Int, to target: Int, _ database: Database) throws {
        try database.execute(
            """
            UPDATE listened SET
                starred_at_ms = CASE
                    WHEN listened.is_starred AND other.is_starred THEN min(listened.starred_at_ms, other.starred_at_ms)
                    WHEN other.is_starred THEN other.starred_at_ms ELSE listened.starred_at_ms END,
                is_starred = listened.is_starred OR other.is_starred,
                rating = coalesce(listened.rating, other.rating),
                rated_at_ms = CASE WHEN listened.rating IS NULL THEN other.rated_at_ms ELSE listened.rated_at_ms END,
                play_count = listened.play_count + other.play_count,
                last_played_at_ms = nullif(
                    max(coalesce(listened.last_played_at_ms, 0), coalesce(other.last_played_at_ms, 0)), 0)
            FROM listened AS other WHERE listened.id = ?1 AND other.id = ?2
            """, [target, id])
        try database.execute(
            "UPDATE OR IGNORE plays SET listened_id = ?1 WHERE listened_id = ?2", [target, id])
        try database.execute("DELETE FROM listened WHERE id = ?", [id])
    }
}
