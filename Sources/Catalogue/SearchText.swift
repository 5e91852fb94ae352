internal import Foundation

/// Search text entered by a user, escaped for SQLite's two kinds of search: no character of it acts
/// as an operator.
package struct SearchText {
    /// Fewest letters of a word in which a typo is allowed: shorter words differ from too many others by one letter.
    static let shortestWithTypo = 5
    /// The most words that are searched for.
    private static let wordLimit = 32

    /// For FTS5's MATCH: every word must be the start of a word of the track. Nil if the text contains no
    /// letter or digit.
    package let fullText: String?
    /// For FTS5's MATCH: every word must be a whole word of the track. Nil if ``fullText`` is.
    let wholeWords: String?
    /// For LIKE with ESCAPE '\': the track must contain the whole text.
    package let pattern: String
    /// The text with single spaces.
    let plain: String
    private let words: [Substring]

    /// Creates the patterns for a text.
    package init(_ text: String) {
        // NUL ends a string for SQLite, and no tag contains it.
        let text = text.filter { $0 != "\0" }
        let words = text.split(whereSeparator: \.isWhitespace).filter { word in
            word.contains { $0.isLetter || $0.isNumber }
        }
        self.words = Array(words.prefix(Self.wordLimit))
        fullText = words.isEmpty ? nil : self.words.map { Self.quoted($0) + "*" }.joined(separator: " ")
        wholeWords = words.isEmpty ? nil : self.words.map(Self.quoted).joined(separator: " ")
        plain = String(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(500))
        var escaped = ""
        for character in plain {
            if "\\%_".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        pattern = "%\(escaped)%"
    }

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { pattern == "%%" }

    /// Whether any word is long enough for a typo.
    var allowsTypos: Bool { words.contains { Self.letters($0) != nil } }

    /// For FTS5's MATCH: as ``fullText``, but each long word may differ by one typo from the start of a word of the track.
    /// Nil if there are no such words in the library.
    func withTypos(_ vocabulary: SearchVocabulary) -> String? {
        var hasCorrections = false
        let parts = words.map { word in
            var forms = [Self.quoted(word) + "*"]
            if let letters = Self.letters(word) {
                let corrections = vocabulary.corrections(of: letters)
                // Corrections consist of letters only, so they need no escaping.
                forms += corrections.map { "\"\($0.text)\"\($0.isWhole ? "" : "*")" }
                if !corrections.isEmpty { hasCorrections = true }
            }
            return "(\(forms.joined(separator: " OR ")))"
        }
        return hasCorrections ? parts.joined(separator: " AND ") : nil
    }

    /// For FTS5's MATCH: each word must be part of a word of the item. Nil if the library has no such words.
    func partsOfWords(_ vocabulary: SearchVocabulary) -> String? {
        var groups: [String] = []
        for word in words {
            let found = vocabulary.words(containing: word.lowercased().precomposedStringWithCanonicalMapping)
            guard !found.isEmpty else { return nil }
            groups.append("(\(found.map { Self.quoted(Substring($0)) }.joined(separator: " OR ")))")
        }
        return groups.isEmpty ? nil : groups.joined(separator: " AND ")
    }

    private static func quoted(_ word: Substring) -> String {
        "\"\(word.replacing("\"", with: "\"\""))\""
    }

    /// The letters of a word as the index has them, in lower case and without diacritics; nil if it is too short for a
    /// typo or has digits or signs inside.
    private static func letters(_ word: Substring) -> [Unicode.Scalar]? {
        let isSign = { (character: Character) in !character.isLetter && !character.isNumber }
        let trimmed = word.drop(while: isSign).reversed().drop(while: isSign).reversed()
        let folded = String(trimmed).lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        guard folded.count >= shortestWithTypo, folded.count <= SearchVocabulary.longestWord,
            folded.allSatisfy(\.properties.isAlphabetic)
        else { return nil }
        return Array(folded)
    }
}
