/// The state of the jukebox: the host's own player, whose sound comes from the host's sound card.
public struct JukeboxReport: Codable, Sendable, Equatable {
    /// The output, such as `alsa:default` or `pipe:/run/snapfifo`.
    public var output: String
    /// Whether it is playing, or about to.
    public var isPlaying: Bool
    /// Index of the current track in the queue; nil if the queue is empty.
    public var index: Int?
    /// Position in the current track in seconds.
    public var positionSeconds: Double
    /// Duration of the current track in seconds, if known.
    public var durationSeconds: Double?
    /// Volume, 0 to 1.
    public var volume: Double
    /// The tracks of the queue in order.
    public var trackIDs: [Int]
    /// Changes whenever the queue changes; positions in the queue belong to one revision.
    public var revision: Int
    /// Why nothing is heard although it should be; nil if nothing is wrong.
    public var problem: String?

    /// Memberwise initializer.
    public init(
        output: String, isPlaying: Bool, index: Int?, positionSeconds: Double, durationSeconds: Double?,
        volume: Double, trackIDs: [Int], revision: Int, problem: String? = nil
    ) {
        self.output = output
        self.isPlaying = isPlaying
        self.index = index
        self.positionSeconds = positionSeconds
        self.durationSeconds = durationSeconds
        self.volume = volume
        self.trackIDs = trackIDs
        self.revision = revision
        self.problem = problem
    }

    /// The current track.
    public var trackID: Int? { index.flatMap { trackIDs.indices.contains($0) ? trackIDs[$0] : nil } }

    private enum CodingKeys: String, CodingKey {
        case output, index, volume, revision, problem
        case isPlaying = "is_playing"
        case positionSeconds = "position_seconds"
        case durationSeconds = "duration_seconds"
        case trackIDs = "track_ids"
    }
}

/// A change of what the jukebox does; what is nil stays as it is.
public struct JukeboxPatch: Codable, Sendable, Equatable {
    /// Whether it plays.
    public var isPlaying: Bool?
    /// Index of the track to go to.
    public var index: Int?
    /// Position in the track, in seconds.
    public var positionSeconds: Double?
    /// Volume, 0 to 1.
    public var volume: Double?

    /// Memberwise initializer.
    public init(
        isPlaying: Bool? = nil, index: Int? = nil, positionSeconds: Double? = nil, volume: Double? = nil
    ) {
        self.isPlaying = isPlaying
        self.index = index
        self.positionSeconds = positionSeconds
        self.volume = volume
    }

    private enum CodingKeys: String, CodingKey {
        case index, volume
        case isPlaying = "is_playing"
        case positionSeconds = "position_seconds"
    }
}

/// A new queue for the jukebox.
public struct JukeboxQueue: Codable, Sendable, Equatable {
    /// The tracks in order.
    public var trackIDs: [Int]
    /// Index of the track to start with; nil keeps the current track playing if it is one of the new ones.
    public var index: Int?
    /// Position in that track, in seconds.
    public var positionSeconds: Double?
    /// Whether to play; nil keeps what is.
    public var isPlaying: Bool?

    /// Memberwise initializer.
    public init(
        trackIDs: [Int], index: Int? = nil, positionSeconds: Double? = nil, isPlaying: Bool? = nil
    ) {
        self.trackIDs = trackIDs
        self.index = index
        self.positionSeconds = positionSeconds
        self.isPlaying = isPlaying
    }

    private enum CodingKeys: String, CodingKey {
        case index
        case trackIDs = "track_ids"
        case positionSeconds = "position_seconds"
        case isPlaying = "is_playing"
    }
}
