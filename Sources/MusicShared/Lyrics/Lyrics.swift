/// The words of a track, with or without times.
public struct Lyrics: Codable, Sendable, Equatable {
    /// Whether lines have times. All of them have, or none has.
    public var isSynced: Bool
    /// By how much times are earlier than the source states them, in seconds: LRC's `[offset:]`, where a positive value
    /// shows lines earlier. It is in the lines' times already.
    public var offsetSeconds: Double
    /// The lines in order; synced ones by their times.
    public var lines: [LyricsLine]
    /// What the source says of itself: LRC's tags, `ti` for the title and so on, by their names in small letters.
    public var metadata: [String: String]

    /// Puts the parts together.
    public init(
        isSynced: Bool, offsetSeconds: Double = 0, lines: [LyricsLine], metadata: [String: String] = [:]
    ) {
        self.isSynced = isSynced
        self.offsetSeconds = offsetSeconds
        self.lines = lines
        self.metadata = metadata
    }

    /// Plain text: one line a line, none with a time. White space at the ends of lines and empty lines at the ends of the
    /// text go.
    public init(plainText text: String) {
        var lines = LyricsText.lines(of: text).map { LyricsLine(text: LyricsText.trimmed($0)) }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
        let start = lines.firstIndex { !$0.text.isEmpty } ?? lines.endIndex
        self.init(isSynced: false, lines: Array(lines[start...].prefix(LyricsLimits.lines)))
    }

    /// The lines as plain text.
    public var plainText: String { lines.map(\.text).joined(separator: "\n") }

    /// Whether there is nothing to show.
    public var isEmpty: Bool { lines.allSatisfy { $0.text.isEmpty } }

    private enum CodingKeys: String, CodingKey {
        case isSynced = "is_synced"
        case offsetSeconds = "offset_seconds"
        case lines, metadata
    }
}

/// How much of lyrics is read and written, whatever a file holds.
public enum LyricsLimits {
    /// The largest source, in bytes.
    public static let sourceBytes = 1 << 20
    /// The most lines.
    public static let lines = 10_000
    /// The most words with times.
    public static let words = 100_000
    /// All text together, in bytes of UTF-8: a line may be short and be said a thousand times.
    public static let expandedBytes = 2 << 20
    /// The largest offset either way, in seconds.
    public static let offsetSeconds = 3600.0
    /// The latest time of a line, in seconds.
    public static let latestSeconds = 360_000.0
}
