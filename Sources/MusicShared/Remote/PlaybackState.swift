/// The playback state of a client.
public struct PlaybackState: Codable, Sendable, Equatable {
    /// The track; nil if none is known.
    public var trackID: Int?
    /// Position in the track, in seconds.
    public var position: Double
    /// Whether it is playing.
    public var isPlaying: Bool
    /// 0 to 1; nil until the client has sent it.
    public var volume: Double?
    /// Whether the queue is shuffled.
    public var isShuffled: Bool

    /// Creates a state; by default nothing is playing.
    public init(
        trackID: Int? = nil, position: Double = 0, isPlaying: Bool = false, volume: Double? = nil,
        isShuffled: Bool = false
    ) {
        self.trackID = trackID
        self.position = position
        self.isPlaying = isPlaying
        self.volume = volume
        self.isShuffled = isShuffled
    }

    private static let trackIDKey = RemoteKey("track_id", "trackId")
    private static let positionKey = RemoteKey("position_seconds", "position")
    private static let isPlayingKey = RemoteKey("is_playing", "isPlaying")
    private static let volumeKey = RemoteKey("volume")
    private static let isShuffledKey = RemoteKey("is_shuffled", "isShuffled")

    /// Reads either ``RemoteMessageForm``.
    public init(from decoder: any Decoder) throws {
        let state = try decoder.container(keyedBy: RemoteKey.Name.self)
        trackID = try state.decodeIfPresent(Self.trackIDKey)
        position = try state.decode(Self.positionKey)
        isPlaying = try state.decode(Self.isPlayingKey)
        volume = try state.decodeIfPresent(Self.volumeKey)
        isShuffled = try state.decode(Self.isShuffledKey)
    }

    /// Writes the state in the encoder's ``RemoteMessageForm``.
    public func encode(to encoder: any Encoder) throws {
        let form = encoder.remoteMessageForm
        var state = encoder.container(keyedBy: RemoteKey.Name.self)
        try state.encodeIfPresent(trackID, forKey: Self.trackIDKey.name(in: form))
        try state.encode(position, forKey: Self.positionKey.name(in: form))
        try state.encode(isPlaying, forKey: Self.isPlayingKey.name(in: form))
        try state.encodeIfPresent(volume, forKey: Self.volumeKey.name(in: form))
        try state.encode(isShuffled, forKey: Self.isShuffledKey.name(in: form))
    }
}
