/// Something that a listener did, perhaps a while ago and without a connection.
///
/// It is about one of: a track by its number, its path or its audio, an album, an artist.
public struct ListeningAction: Codable, Sendable, Equatable {
    /// What was done.
    public enum Kind: String, Codable, Sendable, Equatable, CaseIterable {
        /// Gave a star.
        case star
        /// Took the star away.
        case unstar
        /// Rated, or took the rating away.
        case rate
        /// Played a track, long enough to count.
        case play
        /// Began to play a track: shown to others, never counted.
        case nowPlaying = "now_playing"
    }

    /// What was done.
    public var action: Kind
    /// A name that the client gives to this action, and to no other one: sent again it does nothing.
    public var actionID: String?
    /// When, in seconds since 1970 by the client's clock; nil for now. A time in the future is taken for now.
    public var at: Double?
    /// The track.
    public var trackID: Int?
    /// Path of the track in the music folder.
    public var relativePath: String?
    /// Identity of the track's audio, 32 hexadecimal digits.
    public var audioHash: String?
    /// The album.
    public var albumID: Int?
    /// The artist.
    public var artistID: Int?
    /// From 1 to 5, nil to take the rating away; of `rate` only.
    public var rating: Int?
    /// How much was heard, in seconds; of `play` only.
    public var secondsPlayed: Double?
    /// The player's name.
    public var client: String?

    /// Makes an action about nothing yet.
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

/// Limits of listening, which clients may rely on.
public enum ListeningLimits {
    /// The most actions of a request.
    public static let actions = 1000
    /// The longest name of an action or a client, in characters.
    public static let nameLength = 100
    /// By how much a client's clock may be ahead, in seconds; times beyond are taken for now.
    public static let clockSkewSeconds = 120.0
    /// How long the names of actions are remembered, in days.
    public static let rememberedDays = 400
}
