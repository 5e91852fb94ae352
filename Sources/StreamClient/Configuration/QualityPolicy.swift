/// Decides which of several qualities is played.
public struct QualityPolicy: Sendable, Equatable {
    /// How much of a network's capacity may be used.
    public enum Level: String, Sendable, CaseIterable {
        /// The lowest quality.
        case low
        /// The best quality that the network sustains.
        case automatic
        /// The highest quality, unless playback would stall.
        case high
    }

    /// Level on metered networks.
    public var cellular = Level.low
    /// Level on unmetered networks.
    public var wifi = Level.high
    /// Share of the measured throughput that a quality may use.
    public var headroom = 0.8
    /// Buffered seconds above which a better quality is tried.
    public var upSeconds = 10.0
    /// Buffered seconds below which the highest quality is lowered on a network that is too slow for it.
    public var downSeconds = 15.0

    /// The values of the streaming specification.
    public init() {}

    /// Returns the quality to play next.
    /// - Parameters:
    ///   - bandwidths: bits per second of each quality.
    ///   - current: index of the quality being played; nil at the start.
    ///   - network: the current kind of network.
    ///   - bitsPerSecond: measured throughput; nil if unknown.
    ///   - aheadSeconds: seconds buffered ahead.
    /// - Returns: an index into `bandwidths`, which must not be empty.
    public func choose(
        among bandwidths: [Int], current: Int?, network: NetworkKind, bitsPerSecond: Double?,
        aheadSeconds: Double
    ) -> Int {
        let order = bandwidths.indices.sorted { bandwidths[$0] < bandwidths[$1] }
        guard let lowest = order.first, let highest = order.last else { return 0 }
        let level = network == .cellular ? cellular : wifi
        if level == .low { return lowest }
        guard let bitsPerSecond else { return level == .high ? highest : current ?? lowest }
        let fitting = order.last { Double(bandwidths[$0]) <= bitsPerSecond * headroom } ?? lowest
        guard let current else { return level == .high ? highest : fitting }
        let isBetter = bandwidths[fitting] > bandwidths[current]
        if isBetter { return aheadSeconds >= upSeconds ? fitting : current }
        // Switch down only when the buffer is running low, so that a short dip in throughput is not audible.
        return aheadSeconds < downSeconds ? fitting : current
    }
}
