/// What a listener thinks of a track, an album or an artist, and how often it was played.
public struct ListeningState: Codable, Sendable, Equatable {
    /// Whether it is starred.
    public var isStarred: Bool
    /// Since when, in seconds since 1970.
    public var starredAt: Double?
    /// From 1 to 5.
    public var rating: Int?
    /// How often it was played; of albums and artists the plays of all their tracks.
    public var playCount: Int
    /// When it was last played, in seconds since 1970.
    public var lastPlayedAt: Double?

    /// The state of what nobody has touched yet, unless told otherwise.
    public init(
        isStarred: Bool = false, starredAt: Double? = nil, rating: Int? = nil, playCount: Int = 0,
        lastPlayedAt: Double? = nil
    ) {
        self.isStarred = isStarred
        self.starredAt = starredAt
        self.rating = rating
        self.playCount = playCount
        self.lastPlayedAt = lastPlayedAt
    }

    private enum CodingKeys: String, CodingKey {
        case isStarred = "is_starred"
        case starredAt = "starred_at"
        case rating
        case playCount = "play_count"
        case lastPlayedAt = "last_played_at"
    }
}
