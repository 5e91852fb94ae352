/// Where lyrics are kept.
public enum LyricsSource: String, Codable, Sendable, Equatable, CaseIterable {
    /// An `.lrc` file beside the track.
    case sidecar
    /// Texts with times in the file's tags (`SYLT`).
    case sylt
    /// A text in the file's tags (`USLT`), which may be LRC.
    case uslt
}

/// The lyrics of a track: the answer to `/lyrics`.
public struct TrackLyrics: Codable, Sendable, Equatable {
    /// Path in the music folder.
    public var relativePath: String
    /// Where these lyrics are kept.
    public var source: LyricsSource
    /// Name of the file that they are from, of a sidecar.
    public var file: String?
    /// Language by ISO 639-2 as in tags, or as the `.lrc` file states it, where told.
    public var language: String?
    /// What tells these lyrics from others of the same language in the tags.
    public var description: String?
    /// Whether lines have times.
    public var isSynced: Bool
    /// By how much `[offset:]` makes the times earlier, in seconds. It is in the lines' times already.
    public var offsetSeconds: Double
    /// What the source says of itself, by the names of LRC's tags.
    public var metadata: [String: String]
    /// The lines.
    public var lines: [LyricsLine]
    /// All that the track has besides, the best first; where asked for.
    public var alternatives: [TrackLyrics]?

    /// Puts the parts together.
    public init(
        relativePath: String, source: LyricsSource, file: String? = nil, language: String? = nil,
        description: String? = nil, lyrics: Lyrics
    ) {
        self.relativePath = relativePath
        self.source = source
        self.file = file
        self.language = language
        self.description = description
        isSynced = lyrics.isSynced
        offsetSeconds = lyrics.offsetSeconds
        metadata = lyrics.metadata
        lines = lyrics.lines
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case source, file, language, description
        case isSynced = "is_synced"
        case offsetSeconds = "offset_seconds"
        case metadata, lines, alternatives
    }
}

/// New lyrics, or another offset: the content of `PUT /lyrics`.
public struct LyricsUpdate: Codable, Sendable, Equatable {
    /// The lines: with times all of them, or none.
    public var lines: [LyricsLine]?
    /// The lyrics as a text: LRC or plain. Instead of lines.
    public var lrc: String?
    /// The offset, positive for earlier; alone it changes nothing else.
    public var offsetSeconds: Double?
    /// Language by ISO 639-2, three small letters; nil leaves that of what is replaced.
    public var language: String?

    /// Puts the parts together.
    public init(
        lines: [LyricsLine]? = nil, lrc: String? = nil, offsetSeconds: Double? = nil, language: String? = nil
    ) {
        self.lines = lines
        self.lrc = lrc
        self.offsetSeconds = offsetSeconds
        self.language = language
    }

    private enum CodingKeys: String, CodingKey {
        case lines, lrc
        case offsetSeconds = "offset_seconds"
        case language
    }
}
