internal import MusicShared
internal import SQLiteDatabase

/// A search for tracks that matches too many of them to rank each.
struct BroadSearch {
    /// For FTS5's MATCH: what the tracks match.
    let words: String
    let text: SearchText
}

/// Searches with many matches, such as those for one letter: the best ones are found by the search index and the index of titles
/// and come first, all others follow in the order of their ids. So the time depends on the page, not on the number of matches.
extension CatalogueReader {
    /// The most titles with the searched words that come first.
    private static let mostWithWords = 100
    /// The most titles that start with the searched text that come first.
    private static let mostStarting = 200

    /// The ids of a page.
    func ids(_ search: BroadSearch, of query: CatalogueQuery<TrackSort>) throws -> [Int] {
        let first = try firstIDs(search)
        let page = Array(first.dropFirst(query.offset).prefix(query.limit))
        guard page.count < query.limit else { return page }
        let rest: [Int] = try database.values(
            """
            SELECT rowid FROM tracks_fts
            WHERE tracks_fts MATCH ? AND \(try isAvailable("rowid"))
                AND +rowid NOT IN (SELECT value FROM json_each(?))
            ORDER BY rowid LIMIT ? OFFSET ?
            """,
            [search.words, NumberList(first), query.limit - page.count, max(0, query.offset - first.count)])
        return page + rest
    }

    /// The best matches: titles that are the text, then those with its words, then those that start with it, each by title.
    private func firstIDs(_ search: BroadSearch) throws -> [Int] {
        let key = SortKey.key(search.text.plain)
        return try remembered("first of tracks_fts", [search.words, key]) {
            let withWords: [Int] = try database.values(
                """
                SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ? AND \(try isAvailable("rowid"))
                ORDER BY rowid LIMIT ?
                """, ["{title} : (\(search.text.wholeWords ?? search.words))", Self.mostWithWords])
            let starting: [Int] = try database.values(
                """
                SELECT id FROM tracks INDEXED BY tracks_ordered_by_title
                WHERE unavailable_since_ms IS NULL AND title_sort >= ?1 AND title_sort < ?1 || char(0x10FFFF)
                ORDER BY title_sort, id LIMIT ?2
                """, [key, key.isEmpty ? 0 : Self.mostStarting])
            // The sort key also stands for other spellings, some of which do not match in the search index.
            let matching: [Int] = try database.values(
                """
                SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ? AND +rowid IN (SELECT value FROM json_each(?))
                """, [search.words, NumberList(starting)])
            let best: [Int] = try database.values(
                """
                SELECT id FROM tracks WHERE id IN (SELECT value FROM json_each(?1))
                ORDER BY title_sort <> ?2, title_sort, id
                """, [NumberList(withWords), key])
            // Titles that are the text are among both if the text consists of whole words.
            let others = Set(matching).subtracting(best)
            return best + starting.filter(others.contains)
        }
    }
}
