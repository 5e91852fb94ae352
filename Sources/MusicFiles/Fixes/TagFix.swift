/// An automatic fix of tags. The raw value is its name in the API.
package enum TagFix: String, Sendable, Hashable, CaseIterable, Codable {
    /// An album that is split because its tracks name different album artists: they get the same album
    /// artist, and a compilation gets its flag.
    case splitCompilations = "split_compilations"
    /// White space around texts, and texts of only white space.
    case trimWhiteSpace = "trim_white_space"
    /// Files with only ID3v1 get ID3v2.4, or Vorbis comments if they are FLAC, with the same values; ID3v1 stays.
    case id3v1ToID3v2 = "id3v1_to_id3v2"
    /// UTF-8, Windows-1251 or Shift-JIS that was read as Latin-1, if no other reading is plausible.
    case mojibake
    /// Tracks of an album without an album artist.
    case missingAlbumArtist = "missing_album_artist"
    /// Years that differ from those of most tracks of the album, or are missing.
    case inconsistentYears = "inconsistent_years"
}

/// A change that a fix makes or would make.
package struct TagFixChange: Sendable, Hashable {
    /// The fix.
    package var fix: TagFix
    /// Name of the field; `tags` for the tag formats of the file.
    package var field: String
    /// The current value; nil if the field is not set.
    package var before: String?
    /// The new value; nil if the field is removed.
    package var after: String?

    /// Creates a change.
    package init(fix: TagFix, field: String, before: String?, after: String?) {
        self.fix = fix
        self.field = field
        self.before = before
        self.after = after
    }
}
