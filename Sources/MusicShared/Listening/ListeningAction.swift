/// An action of a listener, possibly recorded earlier while offline.
///
/// It applies to exactly one of: a track (by ID, path or audio hash), an album, an artist.
public struct ListeningAction: Codable, Sendable, Equatable {
    /// Kind of action.
    public enum Kind: String, Codable, Sendable, Equatable, CaseIterable {
        /// Added a star.
        case star
        /// Removed the star.
        case unstar
        /// Set or removed the rating.
        case rate
        /// Played a track long enough to count.
        case play
        /// Started playing a track: shown to others, never counted.
        case nowPlaying = "now_playing"
    }

    /// Kind of action.
    public var action: Kind
    /// A client-generated ID, unique to this action; repeats with the same ID are ignored.
    public var actionID: String?
    /// Time in seconds since 1970 by the client's clock; nil for now. Future times are treated as now.
    public var at: Double?
    /// Track ID.
    public var trackID: Int?
    /// Path of the track relative to the music folder.
    public var relativePath: String?
    /// Audio hash of the track, 32 hexadecimal digits.
    public var audioHash: String?
    /// Album ID.
    public var albumID: Int?
    /// Artist ID.
    public var artistID: Int?
    /// 1 to 5, or nil to remove the rating; for `rate` only.
    public var rating: Int?
    /// Seconds played; for `play` only.
    public var secondsPlayed: Double?
    /// Name of the player.
    public var client: String?

    /// Creates an action without a subject.
    public init(_ action: Kind, actionID: String? = nil, at: Double? = nil) {
        self.action = action
        self.actionID = actionID
        self.at = at
    }

    private enum CodingKeys: String, CodingKey {
        case action
        case actionID = "action_id"
        case at
        case trackID = "track_id"
        case relativePath = "relative_path"
        case audioHash = "audio_hash"
        case albumID = "album_id"
        case artistID = "artist_id"
        case rating
        case secondsPlayed = "seconds_played"
        case client
    }
}

/// Limits of listening requests that clients can rely on.
public enum ListeningLimits {
    /// Maximum number of actions per request.
    public static let actions = 1000
    /// Maximum length of an action ID or client name, in characters.
    public static let nameLength = 100
    /// Maximum clock skew of a client into the future, in seconds; later times are treated as now.
    public static let clockSkewSeconds = 120.0
    /// Retention of action IDs in days.
    public static let rememberedDays = 400
}
