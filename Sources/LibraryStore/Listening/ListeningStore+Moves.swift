internal import SQLiteDatabase

/// Keeps listening data attached to its items after files have been moved or retagged.
extension ListeningStore {
    /// A new place for an item.
    struct Move {
        let id: Int
        let place: String
    }

    /// The audio of a track that an account listened to.
    private struct OwnedAudio: Hashable {
        let accountID: Int
        let hash: [UInt8]
    }

    /// Returns the items of all accounts that have moved: tracks whose audio is now at another path, and albums and artists
    /// of which more than half of the tracks now belong to another name. Items that are not found are left
    /// alone.
    static func moves(_ database: Database) throws -> [Move] {
        try trackMoves(database) + groupMoves(database, .album) + groupMoves(database, .artist)
    }

    static func apply(_ move: Move, _ database: Database) throws {
        // Another write may have taken the place in the meantime.
        try database.execute("UPDATE OR IGNORE listened SET place = ? WHERE id = ?", [move.place, move.id])
    }

    private static func trackMoves(_ database: Database) throws -> [Move] {
        let lost = try database.fetchAll(
            """
            SELECT id, account_id, audio_hash FROM listened WHERE kind = 'track'
                AND NOT EXISTS (SELECT 1 FROM tracks WHERE relative_path = listened.place
                    AND audio_hash = listened.audio_hash AND unavailable_since_ms IS NULL)
                AND EXISTS (SELECT 1 FROM tracks WHERE audio_hash = listened.audio_hash
                    AND +unavailable_since_ms IS NULL)
            ORDER BY id
            """
        ) { row -> (id: Int, place: OwnedAudio) in
            (try row["id"], OwnedAudio(accountID: try row["account_id"], hash: try row["audio_hash"]))
        }
        return try Dictionary(grouping: lost, by: \.place).flatMap { audio, rows in
            let free: [String] = try database.values(
                """
                SELECT relative_path FROM tracks WHERE audio_hash = ?1 AND +unavailable_since_ms IS NULL
                    AND NOT EXISTS (SELECT 1 FROM listened WHERE kind = 'track' AND audio_hash = ?1
                        AND place = tracks.relative_path AND account_id = ?2)
                ORDER BY relative_path
                """, [audio.hash, audio.accountID])
            return zip(rows, free).map { Move(id: $0.id, place: $1) }
        }
    }

    private static func groupMoves(_ database: Database, _ kind: ListenedKind) throws -> [Move] {
        let lost = try database.fetchAll(
            """
            SELECT id, account_id FROM listened
            WHERE kind = ? AND NOT EXISTS (\(kind.playable("listened.place")))
            """, [kind.rawValue]
        ) { row -> (id: Int, accountID: Int) in (try row["id"], try row["account_id"]) }
        return try lost.compactMap { id, accountID in
            try database.fetchOne(
                """
                SELECT found.place, count(*) AS members FROM listened_members
                CROSS JOIN tracks ON tracks.audio_hash = listened_members.audio_hash
                    AND +tracks.unavailable_since_ms IS NULL
                CROSS JOIN \(kind.membership) AS found ON found.track_id = tracks.id
                WHERE listened_members.listened_id = ?1
                GROUP BY found.place
                HAVING members * 2 > (SELECT count(*) FROM listened_members WHERE listened_id = ?1)
                    AND NOT EXISTS (SELECT 1 FROM listened
                        WHERE account_id = ?3 AND kind = ?2 AND place = found.place)
                ORDER BY members DESC, found.place LIMIT 1
                """, [id, kind.rawValue, accountID]
            ) { Move(id: id, place: try $0["place"]) }
        }
    }
}
