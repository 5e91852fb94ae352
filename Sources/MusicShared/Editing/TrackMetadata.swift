/// The editable metadata of a track as currently stored in its file: the response of `/edit-metadata`.
///
/// Missing values are omitted.
public struct TrackMetadata: Codable, Sendable, Equatable {
    /// Track ID; nil if the file is not yet in the library.
    public var id: Int?
    /// Path relative to the music folder.
    public var relativePath: String
    /// ETag of the file, without quotation marks.
    public var etag: String

    /// Title.
    public var title: String?
    /// Artist.
    public var artist: String?
    /// Album.
    public var album: String?
    /// Album artist.
    public var albumArtist: String?
    /// Track number on the disc.
    public var trackNumber: Int?
    /// Number of tracks on the disc.
    public var trackTotal: Int?
    /// Disc number.
    public var discNumber: Int?
    /// Number of discs in the set.
    public var discTotal: Int?
    /// Year.
    public var year: Int?
    /// Genre.
    public var genre: String?
    /// Comment; the only multi-line text.
    public var comment: String?
    /// Composer.
    public var composer: String?
    /// Whether the album is marked as a compilation.
    public var isCompilation = false
    /// Whether the tags contain a picture.
    public var hasCover = false
    /// The tag formats in the file: "ID3v2", "APE", "ID3v1".
    public var tagKinds: [String] = []
    /// ReplayGain values in the tags.
    public var replayGain = ReplayGainValues()

    /// Creates the metadata of a file without tags.
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

/// ReplayGain values as stored in tags.
public struct ReplayGainValues: Codable, Sendable, Equatable {
    /// Gain of the track, in dB.
    public var trackGainDB: Double?
    /// Peak of the track; 1.0 is full scale.
    public var trackPeak: Double?
    /// Gain of the album, in dB.
    public var albumGainDB: Double?
    /// Peak of the album; 1.0 is full scale.
    public var albumPeak: Double?

    /// Memberwise initializer.
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
