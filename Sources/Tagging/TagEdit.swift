/// Changes to the tags of a track, field by field.
package struct TagEdit: Sendable, Hashable {
    /// Title.
    package var title: TagChange<String> = .leave
    /// Artist.
    package var artist: TagChange<String> = .leave
    /// Album.
    package var album: TagChange<String> = .leave
    /// Album artist.
    package var albumArtist: TagChange<String> = .leave
    /// Track number on the disc, 1 to 99,999.
    package var trackNumber: TagChange<Int> = .leave
    /// Number of tracks on the disc, 1 to 99,999.
    package var trackTotal: TagChange<Int> = .leave
    /// Disc number in the set, 1 to 99,999.
    package var discNumber: TagChange<Int> = .leave
    /// Number of discs in the set, 1 to 99,999.
    package var discTotal: TagChange<Int> = .leave
    /// Recording year, 1 to 9999. A full date is kept if it is of the same year and replaced otherwise. Removing the year also
    /// removes the release dates that readers would use instead.
    package var year: TagChange<Int> = .leave
    /// Genre as text.
    package var genre: TagChange<String> = .leave
    /// Comment; the only multi-line text. Comments with a description are kept when it is set and removed when it is removed,
    /// except those that programs use for their own data.
    package var comment: TagChange<String> = .leave
    /// Composer.
    package var composer: TagChange<String> = .leave
    /// Front cover, JPEG or PNG. Pictures of other types are kept, except one marked "other" in a file without front cover.
    package var cover: TagChange<EmbeddedCover> = .leave
    /// Lyrics.
    package var lyrics = LyricsEdit()

    /// Whether the album is a compilation (`TCMP`); setting false is the same as removing it.
    package var isCompilation: TagChange<Bool> = .leave
    /// Tempo in beats per minute, 1 to 999: a whole number, as `TBPM` requires.
    package var bpm: TagChange<Int> = .leave
    /// Musical key in at most three characters, as `TKEY` requires: "F#m", or "11A" on the Camelot wheel.
    package var initialKey: TagChange<String> = .leave
    /// ReplayGain 2.0 values, in the format of rsgain.
    package var replayGain = ReplayGainEdit()

    /// Maximum length of a text in bytes of UTF-8.
    package static let maximumTextBytes = 10_000
    /// Maximum size of a cover in bytes.
    package static let maximumCoverBytes = 16 << 20

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the edit changes nothing in any file.
    package var isEmpty: Bool { self == TagEdit() }

    /// Returns the tags after the edit.
    package func applied(to tags: TrackTags) -> TrackTags {
        var result = tags
        result.title = title.applied(to: tags.title)
        result.artist = artist.applied(to: tags.artist)
        result.album = album.applied(to: tags.album)
        result.albumArtist = albumArtist.applied(to: tags.albumArtist)
        result.track.number = trackNumber.applied(to: tags.track.number)
        result.track.total = trackTotal.applied(to: tags.track.total)
        result.disc.number = discNumber.applied(to: tags.disc.number)
        result.disc.total = discTotal.applied(to: tags.disc.total)
        result.year = year.applied(to: tags.year)
        result.genre = genre.applied(to: tags.genre)
        result.comment = comment.applied(to: tags.comment)
        result.composer = composer.applied(to: tags.composer)
        result.isCompilation = isCompilation.applied(to: tags.isCompilation) ?? false
        if !bpm.isLeft { result.bpm = bpm.applied(to: nil).map(Double.init) }
        result.initialKey = initialKey.applied(to: tags.initialKey)
        result.replayGain = replayGain.applied(to: tags.replayGain)
        return result
    }

    /// Returns the first field in which two tags differ; nil if all editable fields are equal.
    static func firstDifference(_ a: TrackTags, _ b: TrackTags) -> TagField? {
        if a.title != b.title { return .title }
        if a.artist != b.artist { return .artist }
        if a.album != b.album { return .album }
        if a.albumArtist != b.albumArtist { return .albumArtist }
        if a.track.number != b.track.number { return .trackNumber }
        if a.track.total != b.track.total { return .trackTotal }
        if a.disc.number != b.disc.number { return .discNumber }
        if a.disc.total != b.disc.total { return .discTotal }
        if a.year != b.year { return .year }
        if a.genre != b.genre { return .genre }
        if a.comment != b.comment { return .comment }
        if a.composer != b.composer { return .composer }
        if a.isCompilation != b.isCompilation { return .isCompilation }
        if a.bpm != b.bpm { return .bpm }
        if a.initialKey != b.initialKey { return .initialKey }
        return ReplayGainEdit.firstDifference(a.replayGain, b.replayGain)
    }
}
