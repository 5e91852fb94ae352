/// A catalogue list without pages.
public struct CatalogueList<Item: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The items.
    public var items: [Item]

    /// Memberwise initializer.
    public init(items: [Item]) { self.items = items }
}

/// A genre with the numbers of its tracks and albums: an entry of `GET /api/genres`.
public struct GenreItem: Codable, Sendable, Equatable {
    /// The name, in one of its spellings where only the case of Latin letters differs.
    public var name: String
    /// Number of available tracks of this genre.
    public var trackCount: Int
    /// Number of albums with such a track.
    public var albumCount: Int
    /// The album with the most tracks of this genre; nil if no such track has an album.
    public var albumID: Int?

    /// Memberwise initializer.
    public init(name: String, trackCount: Int, albumCount: Int, albumID: Int?) {
        self.name = name
        self.trackCount = trackCount
        self.albumCount = albumCount
        self.albumID = albumID
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case trackCount = "track_count"
        case albumCount = "album_count"
        case albumID = "album_id"
    }
}

/// A year with the number of its tracks: an entry of `GET /api/years`.
public struct YearItem: Codable, Sendable, Equatable {
    /// The year.
    public var year: Int
    /// Number of available tracks of this year.
    public var trackCount: Int

    /// Memberwise initializer.
    public init(year: Int, trackCount: Int) {
        self.year = year
        self.trackCount = trackCount
    }

    private enum CodingKeys: String, CodingKey {
        case year
        case trackCount = "track_count"
    }
}
