internal import MusicShared
internal import SQLiteDatabase

/// The result of a search.
struct SearchMatches {
    /// For FTS5's MATCH: what the items match. Nil if they contain the text as it is.
    let words: String?
    /// For FTS5's MATCH: the searched words as whole words. Nil if the items were found by parts of words.
    let wholeWords: String?
    /// The items that match without a typo; nil if all do.
    let exactIDs: [Int]?
}

extension CatalogueReader {
    /// Below this number of matches, words may have a typo.
    private static let fewMatches = 10

    /// Narrows a selection to items that match a text: by the starts of its words first; if few items match, also by words
    /// with one typo; if nothing matches, by parts of words. A text without letters and digits is looked for as it is.
    /// - Parameter byWords: narrows a selection by an expression for FTS5's MATCH.
    /// - Returns: the matches; nil if there is no search.
    func search(
        _ text: String?, in selection: inout CatalogueSelection,
        byWords: (inout CatalogueSelection, String) -> Void,
        byPattern: (inout CatalogueSelection, String) -> Void
    ) throws -> SearchMatches? {
        guard let text else { return nil }
        let search = SearchText(text)
        guard let words = search.fullText else {
            byPattern(&selection, search.pattern)
            return SearchMatches(words: nil, wholeWords: nil, exactIDs: nil)
        }
        let all = selection
        selection = all.narrowed(words, byWords)
        if try has(atLeast: Self.fewMatches, selection) {
            return SearchMatches(words: words, wholeWords: search.wholeWords, exactIDs: nil)
        }
        let exactIDs = try ids(selection, of: CatalogueQuery(sort: (), limit: Self.fewMatches))
        if search.allowsTypos, let words = search.withTypos(try SearchVocabulary.current(self)) {
            let tolerant = all.narrowed(words, byWords)
            if try has(atLeast: exactIDs.count + 1, tolerant) {
                selection = tolerant
                return SearchMatches(words: words, wholeWords: search.wholeWords, exactIDs: exactIDs)
            }
        }
        if exactIDs.isEmpty {
            // Parts of words, for scripts without spaces. Without any such word, nothing is left to match.
            let parts = search.partsOfWords(try SearchVocabulary.current(self))
            selection = parts.map { all.narrowed($0, byWords) } ?? all.narrowedToNothing
            return SearchMatches(words: parts ?? "", wholeWords: nil, exactIDs: nil)
        }
        return SearchMatches(words: words, wholeWords: search.wholeWords, exactIDs: nil)
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
        selection.terms = ["\(selection.id) NOT IN (\(wholeWords))"]
        selection.termArguments = ["{\(columns)} : (\(words))"]
        if let exact = matches.exactIDs, !exact.isEmpty {
            selection.terms.append("\(selection.id) NOT IN (SELECT value FROM json_each(?))")
            selection.termArguments.append(NumberList(exact))
        }
        selection.terms += terms
    }

    /// Returns the ids of the available tracks that match a text, the best first.
    package func trackIDs(matching text: String, limit: Int) throws -> [Int] {
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: limit)
        query.text = text
        return try trackPage(query).ids
    }
}
