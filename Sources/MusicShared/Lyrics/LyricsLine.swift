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
