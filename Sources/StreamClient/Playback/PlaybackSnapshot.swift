/// Where playback stands at a moment.
public struct PlaybackSnapshot: Sendable, Equatable {
    /// The state.
    public var state: PlayerState
    /// What is playing, or was last.
    public var item: PlayableItem?
    /// Its place in the queue.
    public var index: Int?
    /// Where in it, in seconds: what is heard, not what was last decoded.
    public var positionSeconds: Double
    /// How long it is, in seconds.
    public var durationSeconds: Double?
    /// What of it can be heard without asking anybody, in seconds.
    public var bufferedSeconds: ClosedRange<Double>?
    /// What is known of it.
    public var facts: MediaFacts
    /// What there is to tell.
    public var notice: PlaybackNotice?
    /// The queue.
    public var queue: [PlayableItem]
    /// The level, 0…1.
    public var volume: Double
    /// The network's speed in bits per second, where it was measured.
    public var bitsPerSecond: Double?
    /// What is being recorded to.
    public var recordingPath: String?
}
