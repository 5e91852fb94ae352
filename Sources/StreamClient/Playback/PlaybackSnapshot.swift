/// The playback status at one moment.
public struct PlaybackSnapshot: Sendable, Equatable {
    /// The playback state.
    public var state: PlayerState
    /// The current item, or the last one played.
    public var item: PlayableItem?
    /// Its index in the queue.
    public var index: Int?
    /// Position in the item in seconds, without audio that is decoded but not yet heard.
    public var positionSeconds: Double
    /// Duration of the item in seconds.
    public var durationSeconds: Double?
    /// The buffered range in seconds, which can be played without another request.
    public var bufferedSeconds: ClosedRange<Double>?
    /// Metadata of the stream.
    public var facts: MediaFacts
    /// The notice for the listener.
    public var notice: PlaybackNotice?
    /// The queue.
    public var queue: [PlayableItem]
    /// The volume, 0…1.
    public var volume: Double
    /// Measured network throughput in bits per second, if known.
    public var bitsPerSecond: Double?
    /// The path of the current recording.
    public var recordingPath: String?
    /// Share of the required audio that has been buffered, 0…1; nil if playback is not waiting for data.
    public var bufferingProgress: Double?
}
