/// Search text entered by a user, escaped for SQLite's two kinds of search: no character of it acts
/// as an operator.
public struct SearchText {
    /// For FTS5's MATCH: every word must be the start of a word of the track. Nil if the text contains no
    /// letter or digit.
    public let fullText: String?
    /// For LIKE with ESCAPE '\': the track must contain the whole text.
    public let pattern: String

    /// Creates the patterns for a text.
    public init(_ text: String) {
        // NUL ends a string for SQLite, and no tag contains it.
        let text = text.filter { $0 != "\0" }
        let words = text.split(whereSeparator: \.isWhitespace).filter { word in
            word.contains { $0.isLetter || $0.isNumber }
        }
        let quoted = words.prefix(32).map { "\"\($0.replacing("\"", with: "\"\""))\"*" }
        fullText = quoted.isEmpty ? nil : quoted.joined(separator: " ")
        var escaped = ""
        for character in text.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(500) {
            if "\\%_".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        pattern = "%\(escaped)%"
    }

    /// Whether there is nothing to search for.
    public var isEmpty: Bool { pattern == "%%" }
}
