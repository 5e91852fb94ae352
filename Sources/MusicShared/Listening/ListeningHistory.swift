/// One time that a track was played.
public struct PlayItem: Codable, Sendable, Equatable, Identifiable {
    /// Number of the play.
    public var id: Int
    /// When, in seconds since 1970.
    public var playedAt: Double
    /// How much was heard, in seconds, where told.
    public var secondsPlayed: Double?
    /// The player's name, where told.
    public var client: String?
    /// Path of the track in the music folder, as last known.
    public var relativePath: String
    /// Identity of the track's audio.
    public var audioHash: String
    /// Title, as last known.
    public var title: String?
    /// Artist, as last known.
    public var artist: String?
    /// Album, as last known.
    public var album: String?
    /// The track; nil where it is gone.
    public var track: TrackItem?

    /// Puts together what every play has.
    public init(id: Int, playedAt: Double, relativePath: String, audioHash: String) {
        self.id = id
        self.playedAt = playedAt
        self.relativePath = relativePath
        self.audioHash = audioHash
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case playedAt = "played_at"
        case secondsPlayed = "seconds_played"
        case client
        case relativePath = "relative_path"
        case audioHash = "audio_hash"
        case title, artist, album, track
    }
}

/// A track that a player is playing at the moment.
public struct NowPlayingItem: Codable, Sendable, Equatable {
    /// The player's name; empty where it told none.
    public var client: String
    /// When it began, in seconds since 1970.
    public var startedAt: Double
    /// The track.
    public var track: TrackItem

    /// Puts the parts together.
    public init(client: String, startedAt: Double, track: TrackItem) {
        self.client = client
        self.startedAt = startedAt
        self.track = track
    }

    private enum CodingKeys: String, CodingKey {
        case client
        case startedAt = "started_at"
        case track
    }
}

/// What is playing: the answer to `/listening/now-playing`.
public struct NowPlayingList: Codable, Sendable, Equatable {
    /// One for each player, the latest first.
    public var items: [NowPlayingItem]

    /// Takes the items.
    public init(items: [NowPlayingItem]) { self.items = items }
}

/// Which tracks, albums or artists a list of `/listening` has, and in which order.
public enum ListeningList: String, Codable, Sendable, Equatable, CaseIterable {
    /// Starred, the last star first.
    case starred
    /// Rated, the best first.
    case rated
    /// Played, the most often played first.
    case mostPlayed = "most_played"
    /// Played, the last played first.
    case recentlyPlayed = "recently_played"
}
