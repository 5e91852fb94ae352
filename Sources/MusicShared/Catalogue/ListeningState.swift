/// Star, rating and play count of a track, an album or an artist.
public struct ListeningState: Codable, Sendable, Equatable {
    /// Whether it is starred.
    public var isStarred: Bool
    /// Time it was starred, in seconds since 1970.
    public var starredAt: Double?
    /// 1 to 5.
    public var rating: Int?
    /// Play count; for albums and artists the total of their tracks.
    public var playCount: Int
    /// Time of the last play, in seconds since 1970.
    public var lastPlayedAt: Double?

    /// Memberwise initializer; the defaults are those of an item without any actions.
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
