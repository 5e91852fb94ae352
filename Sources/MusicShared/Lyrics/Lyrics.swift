/// The lyrics of a track, with or without times.
public struct Lyrics: Codable, Sendable, Equatable {
    /// Whether lines have times. Either all lines have one or none.
    public var isSynced: Bool
    /// Offset in seconds: LRC's `[offset:]`, where a positive value shows lines earlier. It is already applied to the times of
    /// the lines.
    public var offsetSeconds: Double
    /// The lines in order; synced lines by time.
    public var lines: [LyricsLine]
    /// Metadata of the source: LRC tags, such as `ti` for the title, by lower-case name.
    public var metadata: [String: String]

    /// Memberwise initializer.
    public init(
        isSynced: Bool, offsetSeconds: Double = 0, lines: [LyricsLine], metadata: [String: String] = [:]
    ) {
        self.isSynced = isSynced
        self.offsetSeconds = offsetSeconds
        self.lines = lines
        self.metadata = metadata
    }

    /// Creates lyrics from plain text, one line per row and without times. Removes white space around lines and empty lines at
    /// both ends of the text.
    public init(plainText text: String) {
        var lines = LyricsText.lines(of: text).map { LyricsLine(text: LyricsText.trimmed($0)) }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
        let start = lines.firstIndex { !$0.text.isEmpty } ?? lines.endIndex
        self.init(isSynced: false, lines: Array(lines[start...].prefix(LyricsLimits.lines)))
    }

    /// The lines as plain text.
    public var plainText: String { lines.map(\.text).joined(separator: "\n") }

    /// Whether there is no text to show.
    public var isEmpty: Bool { lines.allSatisfy { $0.text.isEmpty } }

    private enum CodingKeys: String, CodingKey {
        case isSynced = "is_synced"
        case offsetSeconds = "offset_seconds"
        case lines, metadata
    }
}

/// Limits for reading and writing lyrics, whatever a file contains.
public enum LyricsLimits {
    /// Maximum size of a source in bytes.
    public static let sourceBytes = 1 << 20
    /// Maximum number of lines.
    public static let lines = 10_000
    /// Maximum number of words with times.
    public static let words = 100_000
    /// Maximum size of all text in bytes of UTF-8: a short line may be repeated a thousand times.
    public static let expandedBytes = 2 << 20
    /// Maximum offset in either direction, in seconds.
    public static let offsetSeconds = 3600.0
    /// Latest time of a line in seconds.
    public static let latestSeconds = 360_000.0
}
