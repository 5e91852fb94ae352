/// Which part of a list of the catalogue is wanted, and in which order.
public struct CatalogueQuery<Sort: Sendable>: Sendable {
    /// What a person typed into a search: each word must begin a word of the item. Nil for all.
    public var text: String?
    /// Only of this artist.
    public var artistID: Int?
    /// Only of this album.
    public var albumID: Int?
    /// Only of this genre; upper and lower case of Latin letters make no difference.
    public var genre: String?
    /// Only of this year.
    public var year: Int?
    /// What to sort by.
    public var sort: Sort
    /// The exact reverse of the ascending order.
    public var isDescending = false
    /// The most items.
    public var limit: Int
    /// How many items to leave out at the beginning.
    public var offset = 0

    /// All items in an order.
    public init(sort: Sort, limit: Int) {
        self.sort = sort
        self.limit = limit
    }
}

/// What tracks are sorted by. Of tracks that are equal, the one with the smaller id comes first; what is missing sorts first.
public enum TrackSort: String, Sendable, CaseIterable {
    /// Title, or the file's name where there is none.
    case title
    /// Artist, then album, disc and number.
    case artist
    /// Album, then disc and number.
    case album
    /// When the track was first seen.
    case added
    /// Year.
    case year
    /// Length.
    case duration
    /// Tempo.
    case bpm
    /// How well the track matches the search, the best first; title where nothing is searched for.
    case relevance
}

/// What albums are sorted by; then by title and id.
public enum AlbumSort: String, Sendable, CaseIterable {
    /// Title.
    case title
    /// Artist.
    case artist
    /// The earliest year of the tracks.
    case year
    /// When the album was first seen.
    case added
}

/// What artists are sorted by; then by id.
public enum ArtistSort: String, Sendable, CaseIterable {
    /// Name.
    case name
    /// When the artist was first seen.
    case added
}

/// What playlists are sorted by; then by id.
public enum PlaylistSort: String, Sendable, CaseIterable {
    /// Name.
    case name
    /// When the playlist was made.
    case added
    /// When it last changed.
    case changed
}
