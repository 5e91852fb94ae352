/// How playback behaves.
public struct PlaybackConfiguration: Sendable {
    /// How one track goes over into the next.
    public enum Transition: Sendable, Equatable {
        /// Sample to sample.
        case gapless
        /// As the host, or what is known of both tracks, plans it: silence is skipped, and tracks overlap where it suits them.
        case planned
        /// For so many seconds, at equal power, whatever the tracks are like.
        case crossfade(seconds: Double)
    }

    /// Which level is aimed at.
    public enum Normalization: Sendable, Equatable {
        /// Levels are left as they are.
        case off
        /// Every track is as loud as the others, in LUFS.
        case track(targetLUFS: Double)
        /// Albums are, and keep the levels among their tracks, in LUFS.
        case album(targetLUFS: Double)
    }

    /// How one track goes over into the next.
    public var transition = Transition.gapless
    /// Which level is aimed at.
    public var normalization = Normalization.off
    /// Whether silence at the beginning and the end of tracks is passed over. ``Transition/planned`` always does.
    public var skipsSilence = false
    /// How much is loaded ahead, and when playback begins.
    public var buffer = BufferPolicy()
    /// What is tried again, and when.
    public var retry = RetryPolicy()
    /// Which quality is played, where there is a choice.
    public var quality = QualityPolicy()
    /// Length of the ramps at pauses and jumps, in seconds.
    public var rampSeconds = 0.01
    /// How long requests wait.
    public var timeouts = TransportTimeouts()
    /// Samples per channel that are mixed at once.
    public var blockSize = 1024
    /// On what the engine's tasks run; nil for the system's threads.
    public var executor: (any TaskExecutor)?

    /// As most listeners like it.
    public init() {}
}
