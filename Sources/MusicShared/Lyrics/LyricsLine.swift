/// A line of lyrics.
public struct LyricsLine: Codable, Sendable, Equatable {
    /// When it begins, in seconds from the beginning of the track; nil without times.
    public var startSeconds: Double?
    /// When it ends, where the source says so; else it stays until the next begins.
    public var endSeconds: Double?
    /// What is sung. Empty where nothing is; a line break within shows it in two rows.
    public var text: String
    /// Its words or syllables, where they have times. Joined they are the text.
    public var words: [LyricsWord]?

    /// Puts the parts together.
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
    /// When it begins, in seconds from the beginning of the track.
    public var startSeconds: Double
    /// When it ends, where the source says so.
    public var endSeconds: Double?
    /// What is sung, with the space behind it if there is one.
    public var text: String

    /// Puts the parts together.
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
    /// The line as it is written: times as whole milliseconds, no white space around its text, spaces behind words; the text
    /// made of the words where there are some. A line without time that has line breaks makes several.
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

    /// Makes the text of the words; spaces stand behind a word, not before it.
    /// - Parameter keepsSingleWord: whether one word that is all of the line stays: it tells nothing but its time.
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
