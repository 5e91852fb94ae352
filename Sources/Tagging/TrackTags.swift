/// What the tags of one file say.
///
/// Each value comes from the most trusted tag that has it: ID3v2, then APE, then ID3v1. Several values of
/// one kind (two artists) are joined by "; ". Texts hold no control characters; an empty text is nil.
public struct TrackTags: Sendable, Hashable {
    /// Name of the track (`TIT2`).
    public var title: String?
    /// Artist (`TPE1`).
    public var artist: String?
    /// Album (`TALB`).
    public var album: String?
    /// Artist of the album as a whole (`TPE2`).
    public var albumArtist: String?
    /// Place on the disc (`TRCK`).
    public var track = NumberInSet()
    /// Disc of the set (`TPOS`).
    public var disc = NumberInSet()
    /// Year of the recording, or of the release where that is missing (`TDRC`, `TYER`, `TDRL`, `TDOR`).
    public var year: Int?
    /// Genre in words (`TCON`; numbers of ID3v1's list are spelled out).
    public var genre: String?
    /// Composer (`TCOM`).
    public var composer: String?
    /// Comment; the only text that may have several lines (`COMM`).
    public var comment: String?
    /// Whether the album is a compilation of several artists (`TCMP`).
    public var isCompilation = false
    /// Whether a picture is embedded that ``EmbeddedCover/read(from:)-(String)`` would give.
    public var hasCover = false
    /// The release's identifier at MusicBrainz.
    public var musicBrainzAlbumID: String?
    /// ReplayGain values of another program.
    public var replayGain = ReplayGainTags()
    /// MixRamp values of another program.
    public var mixRamp = MixRampTags()
    /// The kinds of tag found.
    public var kinds: TagKinds = []

    /// Makes tags that say nothing.
    public init() {}

    /// Reads the tags of a file. The audio is not looked at, so the time does not depend on its length.
    ///
    /// A file that is no MP3 file, or has no tags, or damaged ones, gives what can be read, perhaps nothing.
    /// - Throws: ``TaggingError`` if the file cannot be read at all.
    public static func read(from path: String) throws(TaggingError) -> TrackTags {
        try read(from: Array(path.utf8))
    }

    /// Reads the tags of a file whose name need not be UTF-8.
    /// - Throws: ``TaggingError`` if the file cannot be read at all.
    public static func read(from path: [UInt8]) throws(TaggingError) -> TrackTags {
        try TagHandle(path: path).trackTags
    }
}
