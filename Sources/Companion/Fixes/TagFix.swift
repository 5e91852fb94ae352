/// A fix of tags that is the same whoever asks for it. The raw value is its name in the API.
public enum TagFix: String, Sendable, Hashable, CaseIterable, Codable {
    /// One album that tags split in several, because its tracks name different album artists: they get the same album artist,
    /// and a compilation its mark.
    case splitCompilations = "split_compilations"
    /// White space before and after texts, and texts of nothing else.
    case trimWhiteSpace = "trim_white_space"
    /// Files with ID3v1 only get ID3v2.4 with the same values; ID3v1 stays.
    case id3v1ToID3v2 = "id3v1_to_id3v2"
    /// UTF-8, Windows-1251 or Shift-JIS that was read as Latin-1, where nothing else can have been meant.
    case mojibake
    /// Tracks of an album without album artist.
    case missingAlbumArtist = "missing_album_artist"
    /// Years in an album that differ from that of most of its tracks, or are missing.
    case inconsistentYears = "inconsistent_years"
}

/// One change that a fix makes, or would make.
public struct TagFixChange: Sendable, Hashable {
    /// The fix.
    public var fix: TagFix
    /// The name of the field; `tags` for the kinds of tag that the file has.
    public var field: String
    /// What stands there; nil for nothing.
    public var before: String?
    /// What is to stand there; nil for nothing.
    public var after: String?

    /// Puts the parts together.
    public init(fix: TagFix, field: String, before: String?, after: String?) {
        self.fix = fix
        self.field = field
        self.before = before
        self.after = after
    }
}
