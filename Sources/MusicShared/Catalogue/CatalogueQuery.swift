/// Filters, order and range of a page of the catalogue.
public struct CatalogueQuery<Sort: Sendable>: Sendable {
    /// Search text entered by a user: each word must be the start of a word of the item; words of five letters or more may
    /// have a typo if few items match without. Nil for all.
    public var text: String?
    /// Only items of this artist.
    public var artistID: Int?
    /// Only items of this album.
    public var albumID: Int?
    /// Only items of this genre; the case of Latin letters is ignored.
    public var genre: String?
    /// Only items of this year.
    public var year: Int?
    /// Only tracks of this year or later.
    public var fromYear: Int?
    /// Only tracks of this year or earlier.
    public var toYear: Int?
    /// The sort order.
    public var sort: Sort
    /// Whether to use the exact reverse of the ascending order.
    public var isDescending = false
    /// The maximum number of items.
    public var limit: Int
    /// Number of items to skip.
    public var offset = 0

    /// Creates a query for all items in a sort order.
    public init(sort: Sort, limit: Int) {
        self.sort = sort
        self.limit = limit
    }
}

/// Sort orders of tracks. Equal tracks are sorted by id; missing values come first.
public enum TrackSort: String, Sendable, CaseIterable {
    /// Title, or else the file name.
    case title
    /// Artist, then album, disc and track number.
    case artist
    /// Album, then disc and track number.
    case album
    /// When the track was first seen.
    case added
    /// Year.
    case year
    /// Duration.
    case duration
    /// Tempo.
    case bpm
    /// How well the track matches the search, the best first; title if there is no search.
    case relevance
}

/// Sort orders of albums; equal ones are sorted by title and id.
public enum AlbumSort: String, Sendable, CaseIterable {
    /// Title.
    case title
    /// Artist.
    case artist
    /// The earliest year of the tracks.
    case year
    /// When the album was first seen.
    case added
    /// How well the album matches the search, the best first; title if there is no search.
    case relevance
}

/// Sort orders of artists; equal ones are sorted by id.
public enum ArtistSort: String, Sendable, CaseIterable {
    /// Name.
    case name
    /// When the artist was first seen.
    case added
    /// How well the artist matches the search, the best first; name if there is no search.
    case relevance
}

/// Sort orders of playlists; equal ones are sorted by id.
public enum PlaylistSort: String, Sendable, CaseIterable {
    /// Name.
    case name
    /// When the playlist was created.
    case added
    /// When the playlist last changed.
    case changed
}
