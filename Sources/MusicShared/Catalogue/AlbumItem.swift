/// An album in the catalogue API. Missing values are omitted.
public struct AlbumItem: Codable, Sendable, Equatable, Identifiable {
    /// Album ID.
    public var id: Int
    /// Title.
    public var title: String
    /// The album artist; if no tag names one, the artist shared by all its tracks.
    public var artist: String?
    /// Artist ID.
    public var artistID: Int?
    /// Whether it is tagged as a compilation.
    public var isCompilation: Bool
    /// Earliest year of its tracks.
    public var year: Int?
    /// Number of playable tracks.
    public var trackCount: Int
    /// Total duration of the playable tracks, in seconds.
    public var durationSeconds: Double
    /// Integrated loudness of the whole album in LUFS; nil until all tracks are measured.
    public var integratedLUFS: Double?
    /// Loudness range of the whole album in LU.
    public var loudnessRangeLU: Double?
    /// Highest sample peak in dBFS.
    public var samplePeakDBFS: Double?
    /// Highest true peak in dBTP.
    public var truePeakDBTP: Double?
    /// Whether any of its files has a picture in its tags.
    public var hasCover: Bool
    /// Path of the cover image on the host.
    public var coverURL: String
    /// Its tracks by disc and number, at most ``CatalogueLimits/largestPage``; nil in lists.
    public var tracks: [TrackItem]?
    /// Star, rating and play count; nil unless requested.
    public var listening: ListeningState?

    /// Creates an album; optional values are set afterwards.
    /// - Parameter changedAt: time of the last change to one of its tracks, in seconds since 1970. Used in `coverURL`.
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
