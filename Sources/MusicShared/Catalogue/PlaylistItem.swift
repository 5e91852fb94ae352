/// A playlist as the catalogue gives it.
public struct PlaylistItem: Codable, Sendable, Equatable, Identifiable {
    /// One place in a playlist.
    public struct Entry: Codable, Sendable, Equatable {
        /// The place, counted from 0.
        public var position: Int
        /// The track; it may be one whose file is gone at the moment.
        public var track: TrackItem

        /// Puts the parts together.
        public init(position: Int, track: TrackItem) {
            self.position = position
            self.track = track
        }
    }

    /// Number of the playlist.
    public var id: Int
    /// Its name; no two playlists have the same.
    public var name: String
    /// What its owner says of it.
    public var description: String?
    /// How often it has been changed, beginning with 1.
    public var revision: Int
    /// How many entries it has.
    public var trackCount: Int
    /// Length of its tracks together, in seconds.
    public var durationSeconds: Double
    /// When it was made, in seconds since 1970.
    public var createdAt: Double
    /// When it last changed, in seconds since 1970.
    public var changedAt: Double
    /// The tracks of all entries in order; nil in lists.
    public var trackIDs: [Int]?
    /// A page of the entries; nil in lists.
    public var entries: CataloguePage<Entry>?

    /// Puts together what every playlist has.
    public init(
        id: Int, name: String, description: String?, revision: Int, trackCount: Int, durationSeconds: Double,
        createdAt: Double, changedAt: Double
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.revision = revision
        self.trackCount = trackCount
        self.durationSeconds = durationSeconds
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, description, revision
        case trackCount = "track_count"
        case durationSeconds = "duration_seconds"
        case createdAt = "created_at"
        case changedAt = "changed_at"
        case trackIDs = "track_ids"
        case entries
    }
}
