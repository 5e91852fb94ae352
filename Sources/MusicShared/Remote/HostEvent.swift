/// What the host tells its clients: one text message each, as JSON that names the event as its only key.
///
/// Clients pass over events that they do not know.
///
/// ```json
/// {"dbReady":{}}
/// {"error":{"message":"The file of track 17 cannot be opened: Low/Was.mp3"}}
/// ```
public enum HostEvent: Codable, Sendable, Equatable {
    /// The library has changed, or was asked for: it can be had at `/db`.
    case dbReady
    /// Something went wrong on the host's side: a file that is missing, a command that cannot be.
    case error(message: String)
    /// What the host takes the client to be doing, after each of its commands.
    case playbackState(PlaybackState)
    /// The host's address for clients outside of its network is another one; nil where it has none for now.
    case tunnel(url: String?)
}

/// What a client plays.
public struct PlaybackState: Codable, Sendable, Equatable {
    /// The track; nil where none is known.
    public var trackId: Int?
    /// Seconds into it.
    public var position: Double
    /// Whether it plays on.
    public var isPlaying: Bool
    /// 0 to 1; nil until the client has told it.
    public var volume: Double?
    /// Whether the queue is played in random order.
    public var isShuffled: Bool

    /// Puts the parts together; nothing plays unless said so.
    public init(
        trackId: Int? = nil, position: Double = 0, isPlaying: Bool = false, volume: Double? = nil,
        isShuffled: Bool = false
    ) {
        self.trackId = trackId
        self.position = position
        self.isPlaying = isPlaying
        self.volume = volume
        self.isShuffled = isShuffled
    }

    private enum CodingKeys: String, CodingKey {
        case trackId, position, isPlaying, volume, isShuffled
    }
}
