internal import Catalogue
internal import SQLiteDatabase

extension LibraryStore {
    /// Returns the available tracks that match a text, the best first.
    ///
    /// Each word must be the start of a word in the title, artist, album, album artist, composer, genre or
    /// path; case and accents are ignored, and there are no operators. If nothing matches, tracks are
    /// returned that contain the whole text anywhere in title, artist, album or path (for scripts without
    /// spaces, and names such as "!!!").
    public func tracks(matching text: String, limit: Int = 50) throws -> [CatalogueTrack] {
        let search = SearchText(text)
        guard !search.isEmpty, limit > 0 else { return [] }
        return try read { database in
            if let words = search.fullText {
                let found = try database.fetchAll(
                    """
                    SELECT tracks.* FROM tracks_fts JOIN tracks ON tracks.id = tracks_fts.rowid
                    WHERE tracks_fts MATCH ? AND tracks.unavailable_since_ms IS NULL
                    ORDER BY bm25(tracks_fts, 10, 5, 4, 3, 1, 1, 0.5), tracks.relative_path LIMIT ?
                    """, [words, limit], TrackRow.track)
                if !found.isEmpty { return found }
            }
            return try database.fetchAll(
                """
                SELECT * FROM tracks
                WHERE unavailable_since_ms IS NULL AND (title LIKE ?1 ESCAPE '\\' OR artist LIKE ?1 ESCAPE '\\'
                    OR album LIKE ?1 ESCAPE '\\' OR relative_path LIKE ?1 ESCAPE '\\')
                ORDER BY relative_path LIMIT ?2
                """, [search.pattern, limit], TrackRow.track)
        }
    }
}
