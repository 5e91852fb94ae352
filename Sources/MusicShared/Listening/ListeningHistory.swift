/// One play of a track.
public struct PlayItem: Codable, Sendable, Equatable, Identifiable {
    /// Play ID.
    public var id: Int
    /// Time in seconds since 1970.
    public var playedAt: Double
    /// Seconds played, if reported.
    public var secondsPlayed: Double?
    /// Name of the player, if reported.
    public var client: String?
    /// Last known path of the track relative to the music folder.
    public var relativePath: String
    /// Audio hash of the track.
    public var audioHash: String
    /// Last known title.
    public var title: String?
    /// Last known artist.
    public var artist: String?
    /// Last known album.
    public var album: String?
    /// The track; nil if it is gone.
    public var track: TrackItem?

    /// Creates a play; optional values are set afterwards.
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

/// A track that a player is currently playing.
public struct NowPlayingItem: Codable, Sendable, Equatable {
    /// Name of the player; empty if not reported.
    public var client: String
    /// Start of playback in seconds since 1970.
    public var startedAt: Double
    /// The track.
    public var track: TrackItem

    /// Memberwise initializer.
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

/// Currently playing tracks: the response to `/listening/now-playing`.
public struct NowPlayingList: Codable, Sendable, Equatable {
    /// One item per player, latest first.
    public var items: [NowPlayingItem]

    /// Memberwise initializer.
    public init(items: [NowPlayingItem]) { self.items = items }
}

/// Filter and order of the `/listening` lists.
public enum ListeningList: String, Codable, Sendable, Equatable, CaseIterable {
    /// Starred items, most recently starred first.
    case starred
    /// Rated items, highest rating first.
    case rated
    /// Played items, most played first.
    case mostPlayed = "most_played"
    /// Played items, most recently played first.
    case recentlyPlayed = "recently_played"
}
