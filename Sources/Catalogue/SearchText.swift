/// What a person typed into a search, made safe for SQLite's two ways to search: no character of it is taken
/// for an operator.
public struct SearchText {
    /// For FTS5's MATCH: every word must begin some word of the track. Nil if there is no letter or digit to
    /// look for.
    public let fullText: String?
    /// For LIKE with ESCAPE '\': the text must be in the track as it stands.
    public let pattern: String

    /// Takes what was typed.
    public init(_ text: String) {
        // NUL ends a text for SQLite, and no tag has one.
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

    /// Whether there is nothing to look for.
    public var isEmpty: Bool { pattern == "%%" }
}
