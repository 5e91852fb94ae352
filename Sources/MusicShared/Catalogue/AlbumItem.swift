/// An album as the catalogue gives it. Values that it does not have are left out.
public struct AlbumItem: Codable, Sendable, Equatable, Identifiable {
    /// Number of the album.
    public var id: Int
    /// Title.
    public var title: String
    /// The album artist; where no tag names one, the artist that all its tracks have.
    public var artist: String?
    /// The artist in the catalogue.
    public var artistID: Int?
    /// Whether it is marked as a compilation.
    public var isCompilation: Bool
    /// The earliest year of its tracks.
    public var year: Int?
    /// How many of its tracks can be played.
    public var trackCount: Int
    /// Length of these tracks together, in seconds.
    public var durationSeconds: Double
    /// Integrated loudness in LUFS of all tracks together, once all are measured.
    public var integratedLUFS: Double?
    /// Loudness range in LU of all tracks together.
    public var loudnessRangeLU: Double?
    /// Highest sample peak in dBFS.
    public var samplePeakDBFS: Double?
    /// Highest true peak in dBTP.
    public var truePeakDBTP: Double?
    /// Whether the tags of one of its files hold a picture.
    public var hasCover: Bool
    /// Path of the cover on the host.
    public var coverURL: String
    /// Its tracks by disc and number, at most ``CatalogueLimits/largestPage``; nil in lists.
    public var tracks: [TrackItem]?
    /// What its listener thinks of it; where asked for.
    public var listening: ListeningState?

    /// Puts together what every album has.
    /// - Parameter changedAt: when one of its tracks last changed, in seconds since 1970.
    public init(
        id: Int, title: String, isCompilation: Bool, trackCount: Int, durationSeconds: Double, hasCover: Bool,
        changedAt: Double
    ) {
        self.id = id
        self.title = title
        self.isCompilation = isCompilation
        self.trackCount = trackCount
        self.durationSeconds = durationSeconds
        self.hasCover = hasCover
        coverURL = Routes.path(Routes.albumCover, id) + "?v=\(Int((changedAt * 1000).rounded()))"
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, artist
        case artistID = "artist_id"
        case isCompilation = "is_compilation"
        case year
        case trackCount = "track_count"
        case durationSeconds = "duration_seconds"
        case integratedLUFS = "integrated_lufs"
        case loudnessRangeLU = "loudness_range_lu"
        case samplePeakDBFS = "sample_peak_dbfs"
        case truePeakDBTP = "true_peak_dbtp"
        case hasCover = "has_cover"
        case coverURL = "cover_url"
        case tracks, listening
    }
}
