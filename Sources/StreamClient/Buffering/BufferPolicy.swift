/// How much sound is loaded ahead of what is heard, in seconds.
public struct BufferPolicy: Sendable, Equatable {
    /// A network is fast above this many bits per second.
    public var fastBitsPerSecond = 2_000_000.0
    /// A network is slow below this many bits per second.
    public var slowBitsPerSecond = 500_000.0
    /// Ahead in a fast network.
    public var fastSeconds = 30.0
    /// Ahead in one between.
    public var mediumSeconds = 20.0
    /// Ahead in a slow one.
    public var slowSeconds = 10.0
    /// Before playback begins, or goes on after it ran out.
    public var startSeconds = 5.0
    /// The same in a slow network.
    public var slowStartSeconds = 10.0
    /// Of the next track before its turn.
    public var preloadSeconds = 10.0
    /// The next track is loaded when so much of the present one is left.
    public var preloadLeadSeconds = 120.0
    /// Kept behind what is heard, to go back to without asking anybody.
    public var keptBehindSeconds = 60.0
    /// Kept of what is live, to go back in it.
    public var timeshiftSeconds = 1800.0
    /// The most bytes that are kept of one track, whatever they last.
    public var byteLimit = 64 << 20

    /// The values of the streaming specification.
    public init() {}

    /// Seconds ahead for a network of so many bits per second.
    public func aheadSeconds(bitsPerSecond: Double?) -> Double {
        guard let bitsPerSecond else { return mediumSeconds }
        if bitsPerSecond > fastBitsPerSecond { return fastSeconds }
        return bitsPerSecond < slowBitsPerSecond ? slowSeconds : mediumSeconds
    }

    /// Seconds before playback begins.
    public func startSeconds(bitsPerSecond: Double?) -> Double {
        guard let bitsPerSecond, bitsPerSecond < slowBitsPerSecond else { return startSeconds }
        return slowStartSeconds
    }
}
