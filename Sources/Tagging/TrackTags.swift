/// The tags of a file.
///
/// Each value comes from the most trusted tag that has it: Vorbis comments (FLAC), then ID3v2, then APE, then ID3v1. Multiple values of a field (two
/// artists) are joined by "; ": they are separated by NULs in ID3v2.4 and APE (and in ID3v2.3 by some programs); repeated
/// artist, album artist, composer or genre frames count as well. "/" is not a separator, since it occurs in names (AC/DC).
/// Texts contain no control characters; an empty text is nil.
package struct TrackTags: Sendable, Hashable {
    /// Title (`TIT2`).
    package var title: String?
    /// Artist (`TPE1`).
    package var artist: String?
    /// Album (`TALB`).
    package var album: String?
    /// Album artist (`TPE2`).
    package var albumArtist: String?
    /// Track number on the disc (`TRCK`).
    package var track = NumberInSet()
    /// Disc number in the set (`TPOS`).
    package var disc = NumberInSet()
    /// Recording year, or release year if that is missing (`TDRC`, `TYER`, `TDRL`, `TDOR`).
    package var year: Int?
    /// Genre as text (`TCON`; numbers of ID3v1's list are converted).
    package var genre: String?
    /// Composer (`TCOM`).
    package var composer: String?
    /// Comment; the only multi-line text (`COMM`).
    package var comment: String?
    /// Whether the album is a compilation of several artists (`TCMP`).
    package var isCompilation = false
    /// Tempo in beats per minute (`TBPM`).
    package var bpm: Double?
    /// Musical key in any notation (`TKEY`).
    package var initialKey: String?
    /// Whether there is an embedded picture that ``EmbeddedCover/read(from:)-(String)`` would return.
    package var hasCover = false
    /// MusicBrainz release ID.
    package var musicBrainzAlbumID: String?
    /// ReplayGain values written by another program.
    package var replayGain = ReplayGainTags()
    /// MixRamp values written by another program.
    package var mixRamp = MixRampTags()
    /// International standard recording code (`TSRC`).
    package var isrc: String?
    /// MusicBrainz recording ID (`UFID`).
    package var musicBrainzTrackID: String?
    /// Title to sort by (`TSOT`).
    package var titleSort: String?
    /// Mood (`TMOO`).
    package var mood: String?
    /// Advice on the words as iTunes writes it: 1 for explicit, 2 for clean, 0 for neither.
    package var advisory: Int?
    /// Author of the words (`TEXT`).
    package var lyricist: String?
    /// Conductor (`TPE3`).
    package var conductor: String?
    /// Remixer (`TPE4`).
    package var remixer: String?
    /// The tag formats found.
    package var kinds: TagKinds = []

    /// Creates empty tags.
    package init() {}

    /// Reads the tags of a file. The time does not depend on its length, since the audio is not read.
    ///
    /// For files that are neither MP3 nor FLAC, have no tags or damaged ones, whatever is readable is returned, possibly nothing.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(from path: String) throws(TaggingError) -> TrackTags {
        try read(from: Array(path.utf8))
    }

    /// Reads the tags of a file whose name need not be valid UTF-8.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(from path: [UInt8]) throws(TaggingError) -> TrackTags {
        try TagHandle(path: path).trackTags
    }
}
