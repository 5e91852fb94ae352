internal import SQLiteDatabase
internal import Threads

/// The words of a library's search index, to find those that a mistyped word may mean.
///
/// A typo is one letter too many, one too few, a wrong one, or two neighbours in the wrong order (an optimal string alignment
/// distance of 1).
struct SearchVocabulary: Sendable {
    /// The start of words, or a whole word, that differs from a searched word by one typo.
    struct Correction: Hashable, Sendable {
        /// The letters.
        let text: String
        /// Whether only this word matches, not longer ones that start with it.
        let isWhole: Bool
    }

    /// The most letters of a word that is kept.
    static let longestWord = 40
    /// The most words that contain a part.
    private static let containingLimit = 100
    /// The most corrections of a word.
    private static let correctionLimit = 50

    /// The letters of all words, one word after the other.
    private let letters: [Unicode.Scalar]
    /// Where each word ends in `letters`.
    private let ends: [Int32]
    /// All words in UTF-8, each with a line feed before and after it.
    private let text: [UInt8]

    /// Keeps the words that consist of letters and are long enough to be meant by a mistyped word.
    init(_ words: some Sequence<String>) {
        var builder = Builder()
        for word in words { builder.add(word) }
        self.init(builder)
    }

    private init(_ builder: Builder) {
        letters = builder.letters
        ends = builder.ends
        text = builder.text
    }

    private struct Builder {
        var letters: [Unicode.Scalar] = []
        var ends: [Int32] = []
        var text: [UInt8] = [UInt8(ascii: "\n")]

        mutating func add(_ word: String) {
            text.append(contentsOf: word.utf8)
            text.append(UInt8(ascii: "\n"))
            let start = letters.count
            for letter in word.unicodeScalars {
                guard letter.properties.isAlphabetic else {
                    letters.removeSubrange(start...)
                    return
                }
                letters.append(letter)
            }
            if (SearchText.shortestWithTypo - 1...longestWord).contains(letters.count - start) {
                ends.append(Int32(letters.count))
            } else {
                letters.removeSubrange(start...)
            }
        }
    }

    // MARK: - Parts

    /// The words that contain a text, at most 100, in the order of the index.
    /// - Parameter part: text in lower case.
    func words(containing part: String) -> [String] {
        let part = Array(part.utf8)
        guard let first = part.first, !part.contains(UInt8(ascii: "\n")) else { return [] }
        var found: [String] = []
        var place = 0
        while found.count < Self.containingLimit, let start = text[place...].firstIndex(of: first) {
            guard text[start...].starts(with: part) else {
                place = start + 1
                continue
            }
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            let begin = text[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            found.append(String(decoding: text[begin..<end], as: UTF8.self))
            place = end
        }
        return found
    }

    // MARK: - Corrections

    /// The words, or starts of words, that differ from a word by exactly one typo.
    /// - Parameter word: lowercase letters without diacritics, as in the index.
    func corrections(of word: [Unicode.Scalar]) -> [Correction] {
        var found: Set<Correction> = []
        var start = 0
        for end in ends {
            let candidate = letters[start..<Int(end)]
            start = Int(end)
            guard let (length, isWhole) = Self.match(word, candidate) else { continue }
            let text = String(String.UnicodeScalarView(candidate.prefix(length)))
            found.insert(Correction(text: text, isWhole: isWhole))
        }
        let sorted = found.sorted { ($0.text, $0.isWhole ? 0 : 1) < ($1.text, $1.isWhole ? 0 : 1) }
        return Array(sorted.prefix(Self.correctionLimit))
    }

    /// Compares a word with the start of a candidate.
    /// - Returns: how many of the candidate's letters match with one typo; nil if it takes none or more than one. A typo in
    ///   the word's last letter counts only if the candidate ends there: the start of a longer word would match almost
    ///   anything.
    static func match(
        _ word: [Unicode.Scalar], _ candidate: ArraySlice<Unicode.Scalar>
    ) -> (length: Int, isWhole: Bool)? {
        let (count, length, first) = (word.count, candidate.count, candidate.startIndex)
        guard length >= count - 1 else { return nil }
        // All four kinds of typo are in the first letter that differs.
        var place = 0
        while place < count, place < length, word[place] == candidate[first + place] { place += 1 }
        /// Whether the rest of the word equals the candidate's letters from a place.
        func continues(from own: Int, at other: Int) -> Bool {
            guard other + (count - own) <= length else { return false }
            for index in own..<count where word[index] != candidate[first + other + index - own] {
                return false
            }
            return true
        }
        // The candidate is a start of the word, or the word of the candidate.
        if place == length { return place == count - 1 ? (length, true) : nil }
        if place == count { return nil }
        if place == count - 1 {
            if length == count { return (count, true) }
            return continues(from: place, at: place + 1) ? (count + 1, false) : nil
        }
        if place + 1 < length, word[place] == candidate[first + place + 1],
            word[place + 1] == candidate[first + place], continues(from: place + 2, at: place + 2)
        {
            return (count, false)
        }
        if continues(from: place + 1, at: place + 1) { return (count, false) }
        if continues(from: place, at: place + 1) { return (count + 1, false) }
        if continues(from: place + 1, at: place) { return (count - 1, false) }
        return nil
    }
}

// MARK: - The library's words

extension SearchVocabulary {
    /// The vocabulary of the library that was searched last, so that only the first mistyped word after a change of the
    /// library takes the time to read it.
    private static let latest = Memo<String, SearchVocabulary>(capacity: 1)

    /// Returns the words of a library in its current state.
    static func current(_ reader: CatalogueReader) throws -> SearchVocabulary {
        // A revision is never reused, not even by another library.
        try latest.value(for: try reader.revision) { try read(reader.database) }
    }

    private static func read(_ database: Database) throws -> SearchVocabulary {
        // The library may be attached to another database. A temporary table can be made on a read-only connection, too.
        let schema: String? = try database.scalar(
            "SELECT schema FROM pragma_table_list WHERE name = 'tracks_fts' AND type = 'virtual'")
        guard let schema else { return SearchVocabulary([]) }
        try database.execute(
            """
            CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_words USING fts5vocab('\(schema)', 'tracks_fts', 'row')
            """)
        var builder = Builder()
        try database.forEach("SELECT term FROM temp.search_words") { builder.add(try $0["term"]) }
        return SearchVocabulary(builder)
    }
}
