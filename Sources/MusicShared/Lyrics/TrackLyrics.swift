/// Where lyrics are stored.
public enum LyricsSource: String, Codable, Sendable, Equatable, CaseIterable {
    /// An `.lrc` file next to the track.
    case sidecar
    /// A text field: a Vorbis comment of a FLAC or Ogg file (`LYRICS`), or `©lyr` of an M4A file. It may be LRC.
    case comment
    /// Synchronised text in the file's tags (`SYLT`).
    case sylt
    /// Plain text in the file's tags (`USLT`), which may be LRC.
    case uslt
}

/// The lyrics of a track: the response to `/lyrics`.
public struct TrackLyrics: Codable, Sendable, Equatable {
    /// Path relative to the music folder.
    public var relativePath: String
    /// Where these lyrics are stored.
    public var source: LyricsSource
    /// File name of a sidecar.
    public var file: String?
    /// ISO 639-2 language from the tags, or the language stated in the `.lrc` file.
    public var language: String?
    /// Distinguishes these lyrics from others of the same language in the tags.
    public var description: String?
    /// Whether lines have times.
    public var isSynced: Bool
    /// Value of `[offset:]` in seconds; positive is earlier. It is already applied to the times of the lines.
    public var offsetSeconds: Double
    /// Metadata of the source, by LRC tag name.
    public var metadata: [String: String]
    /// The lines.
    public var lines: [LyricsLine]
    /// All other lyrics of the track, best first; nil unless requested.
    public var alternatives: [TrackLyrics]?

    /// Creates a response from lyrics.
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

/// New lyrics or another offset: the body of `PUT /lyrics`.
public struct LyricsUpdate: Codable, Sendable, Equatable {
    /// The lines; either all of them have times or none.
    public var lines: [LyricsLine]?
    /// The lyrics as LRC or plain text; an alternative to `lines`.
    public var lrc: String?
    /// The offset, positive for earlier; on its own it changes nothing else.
    public var offsetSeconds: Double?
    /// ISO 639-2 language, three lower-case letters; nil keeps the language of the replaced lyrics.
    public var language: String?

    /// Memberwise initializer.
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
