internal import MusicShared
internal import SQLiteDatabase

/// The result of a search.
struct SearchMatches {
    /// For FTS5's MATCH: the searched words as whole words. Nil if the items were found by the text's pattern.
    let wholeWords: String?
    /// The number of items; nil if it is not known.
    let total: Int?
    /// The items that match without a typo; nil if all do.
    let exactIDs: [Int]?
}

extension CatalogueReader {
    /// Below this number of matches, words may have a typo.
    private static let fewMatches = 10

    /// Narrows a selection to items that match a text: by its words first; if few items match, also by words with one typo;
    /// if nothing matches, by the whole text, for scripts without spaces and names made of symbols.
    /// - Parameter byWords: narrows a selection by an expression for FTS5's MATCH.
    /// - Returns: the matches; nil if there is no search.
    func search(
        _ text: String?, in selection: inout CatalogueSelection,
        byWords: (inout CatalogueSelection, String) -> Void,
        byPattern: (inout CatalogueSelection, String) -> Void
    ) throws -> SearchMatches? {
        guard let text else { return nil }
        let search = SearchText(text)
        if let words = search.fullText {
            var exact = selection
            byWords(&exact, words)
            let exactCount = try count(exact)
            if exactCount < Self.fewMatches, search.allowsTypos,
                let words = search.withTypos(try SearchVocabulary.current(self))
            {
                var tolerant = selection
                byWords(&tolerant, words)
                let total = try count(tolerant)
                if total > exactCount {
                    let all = CatalogueQuery(sort: (), limit: Self.fewMatches)
                    let exactIDs = try ids(exact, of: all)
                    selection = tolerant
                    return SearchMatches(wholeWords: search.wholeWords, total: total, exactIDs: exactIDs)
                }
            }
            if exactCount > 0 {
                selection = exact
                return SearchMatches(wholeWords: search.wholeWords, total: exactCount, exactIDs: nil)
            }
        }
        byPattern(&selection, search.pattern)
        return SearchMatches(wholeWords: nil, total: nil, exactIDs: nil)
    }

    /// Sorts a selection by how well its items match: those with all words as whole words first, then those without a typo,
    /// then by other terms.
    /// - Parameter wholeWords: SQL that selects the ids of the items in which an expression, its placeholder, matches.
    func rank(
        _ selection: inout CatalogueSelection, _ matches: SearchMatches, wholeWords: String, columns: String,
        then terms: [String]
    ) {
        guard let words = matches.wholeWords else {
            selection.terms = terms
            return
        }
        selection.terms = ["\(selection.table).id NOT IN (\(wholeWords))"]
        selection.termArguments = ["{\(columns)} : (\(words))"]
        if let exact = matches.exactIDs, !exact.isEmpty {
            selection.terms.append("\(selection.table).id NOT IN (SELECT value FROM json_each(?))")
            selection.termArguments.append(NumberList(exact))
        }
        selection.terms += terms
    }

    /// Returns the ids of the available tracks that match a text, the best first.
    package func trackIDs(matching text: String, limit: Int) throws -> [Int] {
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: limit)
        query.text = text
        return try ids(trackSelection(query).selection, of: query)
    }
}
