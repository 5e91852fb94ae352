/// Settings of the playback engine.
public struct PlaybackConfiguration: Sendable {
    /// The transition between two tracks.
    public enum Transition: Sendable, Equatable {
        /// Gapless, without overlap.
        case gapless
        /// As planned by the host or from the metadata of both tracks: silence is skipped, and tracks overlap where suitable.
        case planned
        /// An equal-power crossfade of fixed length, in seconds.
        case crossfade(seconds: Double)
    }

    /// Loudness normalization.
    public enum Normalization: Sendable, Equatable {
        /// Uses ``album(targetLUFS:)`` while tracks of an album follow each other and ``track(targetLUFS:)`` otherwise, so
        /// that the level does not change between consecutive tracks of an album.
        case automatic(targetLUFS: Double)
        /// No normalization.
        case off
        /// All tracks have the same loudness, in LUFS.
        case track(targetLUFS: Double)
        /// All albums have the same loudness, in LUFS; differences within an album are kept.
        case album(targetLUFS: Double)
    }

    /// The transition between two tracks.
    public var transition = Transition.gapless
    /// The loudness normalization.
    public var normalization = Normalization.automatic(targetLUFS: -18)
    /// Whether silence at the start and end of tracks is skipped. Always the case with ``Transition/planned``.
    public var skipsSilence = false
    /// Buffering.
    public var buffer = BufferPolicy()
    /// Retries.
    public var retry = RetryPolicy()
    /// Quality selection, if several qualities are available.
    public var quality = QualityPolicy()
    /// Length of the ramps when pausing and seeking, in seconds.
    public var rampSeconds = 0.01
    /// Request timeouts.
    public var timeouts = TransportTimeouts()
    /// Number of samples per channel mixed at once.
    public var blockSize = 1024
    /// The executor of the engine's tasks; nil for the default.
    public var executor: (any TaskExecutor)?

    /// The default settings.
    public init() {}
}
