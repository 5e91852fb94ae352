/// What has become of the catalogue since a state that a client knows.
///
/// Applying all of it, in the order of the answers, makes of that state the present one.
public struct CatalogueChanges: Codable, Sendable, Equatable {
    /// Numbers of what is in no list any more.
    public struct Removed: Codable, Sendable, Equatable {
        /// Tracks that are removed, or whose files are gone.
        public var tracks: [Int] = []
        /// Albums without a track that can be played.
        public var albums: [Int] = []
        /// Artists without a track or album that can be played.
        public var artists: [Int] = []

        /// Nothing at all.
        public init() {}
    }

    /// How many items the whole lists have.
    public struct Totals: Codable, Sendable, Equatable {
        /// Tracks that can be played.
        public var tracks: Int
        /// Albums that have such a track.
        public var albums: Int
        /// Artists of such a track or album.
        public var artists: Int

        /// Puts the parts together.
        public init(tracks: Int, albums: Int, artists: Int) {
            self.tracks = tracks
            self.albums = albums
            self.artists = artists
        }
    }

    /// Name of the state up to which these changes lead: what to ask with next.
    public var revision: String
    /// Nothing can be told of the state that was asked for: it is too old, of another library, or none was named. The lists
    /// are to be read wholly, and then what has changed since ``revision``.
    public var isReset: Bool
    /// There is more to be asked for at once.
    public var hasMore: Bool
    /// Tracks that are new or other than they were.
    public var tracks: [TrackItem] = []
    /// Albums that are new or may be other than they were, without their tracks.
    public var albums: [AlbumItem] = []
    /// Artists that are new or may be other than they were, without their albums.
    public var artists: [ArtistItem] = []
    /// What is gone; some of it a client may never have known.
    public var removed = Removed()
    /// What the lists hold now: given where there is no more to ask for. A client that counts otherwise has missed something.
    public var totals: Totals?

    /// No changes yet.
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
