/// A playlist in the catalogue API.
public struct PlaylistItem: Codable, Sendable, Equatable, Identifiable {
    /// An entry in a playlist.
    public struct Entry: Codable, Sendable, Equatable {
        /// Zero-based position.
        public var position: Int
        /// The track; its file may currently be missing.
        public var track: TrackItem

        /// Memberwise initializer.
        public init(position: Int, track: TrackItem) {
            self.position = position
            self.track = track
        }
    }

    /// Playlist ID.
    public var id: Int
    /// The name, unique among the playlists of its account.
    public var name: String
    /// The owner's description.
    public var description: String?
    /// Revision, starting at 1 and incremented by each change.
    public var revision: Int
    /// Number of entries.
    public var trackCount: Int
    /// Total duration in seconds.
    public var durationSeconds: Double
    /// Creation time in seconds since 1970.
    public var createdAt: Double
    /// Time of the last change in seconds since 1970.
    public var changedAt: Double
    /// The account that it belongs to; nil from hosts of an earlier release.
    public var ownerID: Int?
    /// Name of this account; nil in copies of the library.
    public var owner: String?
    /// Whether all accounts see it; nil from hosts of an earlier release.
    public var isPublic: Bool?
    /// The rules that select its tracks; nil for an ordinary playlist.
    public var rules: SmartRules?
    /// Track IDs of all entries in order; nil in lists.
    public var trackIDs: [Int]?
    /// A page of the entries; nil in lists.
    public var entries: CataloguePage<Entry>?

    /// Creates a playlist without its tracks.
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
        case ownerID = "owner_id"
        case owner
        case isPublic = "is_public"
        case rules
        case trackIDs = "track_ids"
        case entries
    }
}
