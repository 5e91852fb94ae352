/// An artist as the catalogue gives it: of tracks, of albums or of both.
public struct ArtistItem: Codable, Sendable, Equatable, Identifiable {
    /// Number of the artist.
    public var id: Int
    /// The name, in the spelling first seen.
    public var name: String
    /// How many tracks that can be played are by this artist.
    public var trackCount: Int
    /// How many albums are by this artist.
    public var albumCount: Int
    /// The artist's albums by year and title, at most ``CatalogueLimits/largestPage``; nil in lists.
    public var albums: [AlbumItem]?
    /// What its listener thinks of the artist; where asked for.
    public var listening: ListeningState?

    /// Puts together what every artist has.
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
