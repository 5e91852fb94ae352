internal import Catalogue
internal import SQLiteDatabase

extension LibraryStore {
    /// Returns the available tracks that match a text, the best first.
    ///
    /// Each word must be the start of a word in the title, artist, album, album artist, composer, genre or
    /// path; case and accents are ignored, and there are no operators. If few tracks match, words of five letters or
    /// more may have a typo. If nothing matches, tracks are returned that contain the whole text anywhere in title,
    /// artist, album or path (for scripts without spaces, and names such as "!!!").
    package func tracks(matching text: String, limit: Int = 50) throws -> [CatalogueTrack] {
        guard !SearchText(text).isEmpty, limit > 0 else { return [] }
        return try read { database in
            let ids = try CatalogueReader(database: database).trackIDs(matching: text, limit: limit)
            let found = try database.fetchAll(
                "SELECT * FROM tracks WHERE id IN (SELECT value FROM json_each(?))", [NumberList(ids)],
                TrackRow.track)
            return found.inOrder(of: ids)
        }
    }
}
