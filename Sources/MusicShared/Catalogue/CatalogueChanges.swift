/// Changes to the catalogue since a revision known to the client.
///
/// Applying all pages of changes in order brings the client's copy up to date.
public struct CatalogueChanges: Codable, Sendable, Equatable {
    /// IDs of items that are no longer in any list.
    public struct Removed: Codable, Sendable, Equatable {
        /// Tracks that were removed or whose files are gone.
        public var tracks: [Int] = []
        /// Albums without a playable track.
        public var albums: [Int] = []
        /// Artists without a playable track or album.
        public var artists: [Int] = []

        /// Creates an empty set.
        public init() {}
    }

    /// Total number of items in each list.
    public struct Totals: Codable, Sendable, Equatable {
        /// Number of playable tracks.
        public var tracks: Int
        /// Number of albums with a playable track.
        public var albums: Int
        /// Number of artists with a playable track or album.
        public var artists: Int

        /// Memberwise initializer.
        public init(tracks: Int, albums: Int, artists: Int) {
            self.tracks = tracks
            self.albums = albums
            self.artists = artists
        }
    }

    /// Revision after these changes; send it with the next request.
    public var revision: String
    /// Whether no changes can be computed: the requested revision is too old, belongs to another library, or was not given. The
    /// client must reload all lists and then request the changes since ``revision``.
    public var isReset: Bool
    /// Whether more changes are available; request them immediately.
    public var hasMore: Bool
    /// New or changed tracks.
    public var tracks: [TrackItem] = []
    /// New or possibly changed albums, without their tracks.
    public var albums: [AlbumItem] = []
    /// New or possibly changed artists, without their albums.
    public var artists: [ArtistItem] = []
    /// Removed items; the client may not know all of them.
    public var removed = Removed()
    /// Current sizes of the lists; set on the last page only. A client whose counts differ has missed a change.
    public var totals: Totals?

    /// Creates an empty change set.
    public init(revision: String, isReset: Bool = false, hasMore: Bool = false) {
        self.revision = revision
        self.isReset = isReset
        self.hasMore = hasMore
    }

    private enum CodingKeys: String, CodingKey {
        case revision
        case isReset = "is_reset"
        case hasMore = "has_more"
        case tracks, albums, artists, removed, totals
    }
}
