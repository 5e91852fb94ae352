/// What can be edited of a track, as its file has it now: the answer of `/edit-metadata`.
///
/// Values that the tags do not have are left out.
public struct TrackMetadata: Codable, Sendable, Equatable {
    /// Number of the track; nil where the library does not know the file yet.
    public var id: Int?
    /// Path in the music folder.
    public var relativePath: String
    /// Names the state of the file: the entity tag of the answer, without quotation marks.
    public var etag: String

    /// Title.
    public var title: String?
    /// Artist.
    public var artist: String?
    /// Album.
    public var album: String?
    /// Album artist.
    public var albumArtist: String?
    /// Number on the disc.
    public var trackNumber: Int?
    /// Tracks on the disc.
    public var trackTotal: Int?
    /// Disc number.
    public var discNumber: Int?
    /// Discs of the set.
    public var discTotal: Int?
    /// Year.
    public var year: Int?
    /// Genre.
    public var genre: String?
    /// Comment; the only text that may have several lines.
    public var comment: String?
    /// Composer.
    public var composer: String?
    /// Whether the album is marked as a compilation.
    public var isCompilation = false
    /// Whether the tags hold a picture.
    public var hasCover = false
    /// The kinds of tag in the file: "ID3v2", "APE", "ID3v1".
    public var tagKinds: [String] = []
    /// ReplayGain values in the tags.
    public var replayGain = ReplayGainValues()

    /// Makes what is known of a file without tags.
    public init(id: Int? = nil, relativePath: String, etag: String) {
        self.id = id
        self.relativePath = relativePath
        self.etag = etag
    }

    private enum CodingKeys: String, CodingKey {
        case id, etag, title, artist, album, year, genre, comment, composer
        case relativePath = "relative_path"
        case albumArtist = "album_artist"
        case trackNumber = "track_number"
        case trackTotal = "track_total"
        case discNumber = "disc_number"
        case discTotal = "disc_total"
        case isCompilation = "is_compilation"
        case hasCover = "has_cover"
        case tagKinds = "tag_kinds"
        case replayGain = "replay_gain"
    }
}

/// ReplayGain values as tags have them.
public struct ReplayGainValues: Codable, Sendable, Equatable {
    /// Gain of the track, in dB.
    public var trackGainDB: Double?
    /// Peak of the track, 1.0 is full scale.
    public var trackPeak: Double?
    /// Gain of the album, in dB.
    public var albumGainDB: Double?
    /// Peak of the album, 1.0 is full scale.
    public var albumPeak: Double?

    /// Makes a set of values.
    public init(
        trackGainDB: Double? = nil, trackPeak: Double? = nil, albumGainDB: Double? = nil,
        albumPeak: Double? = nil
    ) {
        self.trackGainDB = trackGainDB
        self.trackPeak = trackPeak
        self.albumGainDB = albumGainDB
        self.albumPeak = albumPeak
    }

    private enum CodingKeys: String, CodingKey {
        case trackGainDB = "track_gain_db"
        case trackPeak = "track_peak"
        case albumGainDB = "album_gain_db"
        case albumPeak = "album_peak"
    }
}
