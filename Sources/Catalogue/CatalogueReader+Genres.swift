internal import SQLiteDatabase

/// A genre with the number of its tracks and albums.
package struct GenreCount: Sendable, Equatable {
    /// The name, in one of its spellings where only the case of Latin letters differs.
    package var name: String
    /// Available tracks of this genre.
    package var trackCount: Int
    /// Albums with such a track.
    package var albumCount: Int
}

extension CatalogueReader {
    /// Returns the genres of all available tracks, sorted by name.
    package func genres() throws -> [GenreCount] {
        try database.fetchAll(
            """
            SELECT min(genre) AS name, count(*) AS track_count, count(DISTINCT album_id) AS album_count
            FROM tracks WHERE unavailable_since_ms IS NULL AND genre <> ''
            GROUP BY genre COLLATE NOCASE ORDER BY min(genre) COLLATE NOCASE
            """
        ) { row in
            GenreCount(
                name: try row["name"], trackCount: try row["track_count"], albumCount: try row["album_count"])
        }
    }

    /// Returns the genres of an album's available tracks, the most frequent first.
    package func genres(albumID: Int) throws -> [String] {
        try database.values(
            """
            SELECT min(genre) FROM tracks
            WHERE album_id = ? AND +unavailable_since_ms IS NULL AND genre <> ''
            GROUP BY genre COLLATE NOCASE ORDER BY count(*) DESC, min(genre)
            """, [albumID])
    }
}
