/// How much audio is buffered ahead of the playback position, in seconds.
public struct BufferPolicy: Sendable, Equatable {
    /// Throughput above which a network counts as fast, in bits per second.
    public var fastBitsPerSecond = 2_000_000.0
    /// Throughput below which a network counts as slow, in bits per second.
    public var slowBitsPerSecond = 500_000.0
    /// Seconds buffered ahead on a fast network.
    public var fastSeconds = 30.0
    /// Seconds buffered ahead on a network of medium speed.
    public var mediumSeconds = 20.0
    /// Seconds buffered ahead on a slow network.
    public var slowSeconds = 10.0
    /// Seconds buffered before playback starts, or resumes after an underrun.
    public var startSeconds = 5.0
    /// The same on a slow network.
    public var slowStartSeconds = 10.0
    /// Seconds of the next track that are preloaded.
    public var preloadSeconds = 10.0
    /// The next track is preloaded when this many seconds of the current one remain.
    public var preloadLeadSeconds = 120.0
    /// Seconds kept behind the playback position, so that seeking back needs no request.
    public var keptBehindSeconds = 60.0
    /// Seconds of a live stream that are kept for seeking back.
    public var timeshiftSeconds = 1800.0
    /// Maximum number of bytes kept per track, regardless of duration.
    public var byteLimit = 64 << 20

    /// The values of the streaming specification.
    public init() {}

    /// Returns the number of seconds to buffer ahead at the given throughput.
    public func aheadSeconds(bitsPerSecond: Double?) -> Double {
        guard let bitsPerSecond else { return mediumSeconds }
        if bitsPerSecond > fastBitsPerSecond { return fastSeconds }
        return bitsPerSecond < slowBitsPerSecond ? slowSeconds : mediumSeconds
    }

    /// Returns the number of seconds to buffer before playback starts.
    public func startSeconds(bitsPerSecond: Double?) -> Double {
        guard let bitsPerSecond, bitsPerSecond < slowBitsPerSecond else { return startSeconds }
        return slowStartSeconds
    }
}
