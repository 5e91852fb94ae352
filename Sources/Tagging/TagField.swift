/// An editable field of a track's tags. The raw value is its name in the API.
package enum TagField: String, Sendable, Hashable, CaseIterable {
    /// Title.
    case title
    /// Artist.
    case artist
    /// Album.
    case album
    /// Album artist.
    case albumArtist = "album_artist"
    /// Track number on the disc.
    case trackNumber = "track_number"
    /// Number of tracks on the disc.
    case trackTotal = "track_total"
    /// Disc number in the set.
    case discNumber = "disc_number"
    /// Number of discs in the set.
    case discTotal = "disc_total"
    /// Recording year.
    case year
    /// Genre as text.
    case genre
    /// Comment.
    case comment
    /// Composer.
    case composer
    /// Front cover.
    case cover
    /// Lyrics.
    case lyrics
    /// Whether the album is a compilation.
    case isCompilation = "is_compilation"
    /// Tempo.
    case bpm
    /// Musical key.
    case initialKey = "initial_key"
    /// ReplayGain gain of the track.
    case replayGainTrackGain = "replaygain_track_gain"
    /// ReplayGain peak of the track.
    case replayGainTrackPeak = "replaygain_track_peak"
    /// ReplayGain gain of the album.
    case replayGainAlbumGain = "replaygain_album_gain"
    /// ReplayGain peak of the album.
    case replayGainAlbumPeak = "replaygain_album_peak"
}
