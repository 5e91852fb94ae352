package import MusicShared
internal import SQLiteDatabase

extension ListeningReader {
    /// Returns an artist's tracks, the most played first, then the best rated, then by title.
    package func topTracks(artistID: Int, limit: Int) throws -> [TrackItem] {
        let ids: [Int] = try database.values(
            """
            SELECT tracks.id FROM tracks
            LEFT JOIN listened ON listened.kind = 'track' AND listened.audio_hash = tracks.audio_hash
                AND listened.place = tracks.relative_path AND \(isOwn)
            WHERE tracks.artist_id = ? AND +tracks.unavailable_since_ms IS NULL
            ORDER BY coalesce(listened.play_count, 0) DESC, coalesce(listened.rating, 0) DESC,
                tracks.title_sort, tracks.id LIMIT ?
            """, [artistID, limit])
        return try tracks(ids: ids)
    }
}
