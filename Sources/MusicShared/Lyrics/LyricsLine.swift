/// A line of lyrics.
public struct LyricsLine: Codable, Sendable, Equatable {
    /// Start in seconds from the beginning of the track; nil without times.
    public var startSeconds: Double?
    /// End, if the source specifies it; otherwise the line stays until the next one starts.
    public var endSeconds: Double?
    /// The text. Empty for a pause; a line break within it shows two rows.
    public var text: String
    /// Words or syllables, if they have times. Their concatenation is the text.
    public var words: [LyricsWord]?

    /// Memberwise initializer.
    public init(
        startSeconds: Double? = nil, endSeconds: Double? = nil, text: String, words: [LyricsWord]? = nil
    ) {
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
        self.text = text
        self.words = words
    }

    private enum CodingKeys: String, CodingKey {
        case startSeconds = "start_seconds"
        case endSeconds = "end_seconds"
        case text, words
    }
}

/// A word or syllable of a line.
public struct LyricsWord: Codable, Sendable, Equatable {
    /// Start in seconds from the beginning of the track.
    public var startSeconds: Double
    /// End, if the source specifies it.
    public var endSeconds: Double?
    /// The text with its trailing space, if any.
    public var text: String

    /// Memberwise initializer.
    public init(startSeconds: Double, endSeconds: Double? = nil, text: String) {
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
        self.text = text
    }

    private enum CodingKeys: String, CodingKey {
        case startSeconds = "start_seconds"
        case endSeconds = "end_seconds"
        case text
    }
}

extension LyricsLine {
    /// The line normalised for writing: times in whole milliseconds, no white space around the text, spaces after words, and
    /// the text built from the words if there are any. An untimed line with line breaks becomes several lines.
    public var tidied: [LyricsLine] {
        func rounded(_ seconds: Double?) -> Double? { seconds.map { ($0 * 1000).rounded() / 1000 } }
        var line = LyricsLine(startSeconds: rounded(startSeconds), endSeconds: rounded(endSeconds), text: "")
        if let words, !words.isEmpty {
            line.words = words.filter { !$0.text.allSatisfy(\.isWhitespace) }.map { word in
                LyricsWord(
                    startSeconds: rounded(word.startSeconds) ?? 0, endSeconds: rounded(word.endSeconds),
                    text: LyricsLine.singleSpaced(word.text))
            }
            line.joinWords(keepsSingleWord: true)
            return [line]
        }
        let rows = LyricsText.lines(of: text).map { LyricsText.trimmed($0) }
        guard startSeconds != nil else { return rows.map { LyricsLine(text: $0) } }
        line.text = rows.filter { !$0.isEmpty }.joined(separator: "\n")
        return [line]
    }

    /// Builds the text from the words and moves spaces to the end of the preceding word.
    /// - Parameter keepsSingleWord: whether to keep a word that is the whole line: it adds nothing but its time.
    mutating func joinWords(keepsSingleWord: Bool) {
        guard var words else { return }
        for index in words.indices where words[index].text.first?.isWhitespace == true {
            words[index].text = String(words[index].text.drop(while: \.isWhitespace))
            if index > 0, words[index - 1].text.last?.isWhitespace == false { words[index - 1].text += " " }
        }
        while let last = words.indices.last, words[last].text.last?.isWhitespace == true {
            words[last].text.removeLast()
        }
        text = words.map(\.text).joined()
        self.words = words.count > (keepsSingleWord ? 0 : 1) ? words : nil
    }

    private static func singleSpaced(_ text: String) -> String {
        var result = ""
        for character in text {
            if !character.isWhitespace {
                result.append(character)
            } else if result.last != " " {
                result.append(" ")
            }
        }
        return result
    }
}
