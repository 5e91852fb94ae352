/// A field of a track's tags that can be edited. The raw value is its name in the API.
public enum TagField: String, Sendable, Hashable, CaseIterable {
    /// Name of the track.
    case title
    /// Artist.
    case artist
    /// Album.
    case album
    /// Artist of the album as a whole.
    case albumArtist = "album_artist"
    /// Place on the disc.
    case trackNumber = "track_number"
    /// Tracks on the disc.
    case trackTotal = "track_total"
    /// Disc of the set.
    case discNumber = "disc_number"
    /// Discs of the set.
    case discTotal = "disc_total"
    /// Year of the recording.
    case year
    /// Genre in words.
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
    /// ReplayGain of the track.
    case replayGainTrackGain = "replaygain_track_gain"
    /// Peak of the track.
    case replayGainTrackPeak = "replaygain_track_peak"
    /// ReplayGain of the album.
    case replayGainAlbumGain = "replaygain_album_gain"
    /// Peak of the album.
    case replayGainAlbumPeak = "replaygain_album_peak"
}
