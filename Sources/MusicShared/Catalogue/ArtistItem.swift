/// An artist in the catalogue API: of tracks, of albums or of both.
public struct ArtistItem: Codable, Sendable, Equatable, Identifiable {
    /// Artist ID.
    public var id: Int
    /// The name as first seen.
    public var name: String
    /// Number of playable tracks by this artist.
    public var trackCount: Int
    /// Number of albums by this artist.
    public var albumCount: Int
    /// The artist's albums by year and title, at most ``CatalogueLimits/largestPage``; nil in lists.
    public var albums: [AlbumItem]?
    /// Star, rating and play count; nil unless requested.
    public var listening: ListeningState?

    /// Creates an artist; optional values are set afterwards.
    public init(id: Int, name: String, trackCount: Int, albumCount: Int) {
        self.id = id
        self.name = name
        self.trackCount = trackCount
        self.albumCount = albumCount
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case trackCount = "track_count"
        case albumCount = "album_count"
        case albums, listening
    }
}
