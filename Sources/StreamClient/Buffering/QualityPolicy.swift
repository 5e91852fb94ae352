/// Which of several qualities is played.
public struct QualityPolicy: Sendable, Equatable {
    /// How much may be asked of a network.
    public enum Level: String, Sendable, CaseIterable {
        /// The lowest quality.
        case low
        /// What the network brings.
        case automatic
        /// The highest quality, unless playback would stop for it.
        case high
    }

    /// Over networks that cost.
    public var cellular = Level.low
    /// Over networks that do not.
    public var wifi = Level.high
    /// Share of the network's measured speed that a quality may take.
    public var headroom = 0.8
    /// Seconds in store above which a better quality than the present one is tried.
    public var upSeconds = 10.0
    /// Seconds in store below which the highest quality is given up where the network is too slow for it.
    public var downSeconds = 15.0

    /// The values of the streaming specification.
    public init() {}

    /// Chooses.
    /// - Parameters:
    ///   - bandwidths: bits per second of each quality.
    ///   - current: the one being played; nil at the beginning.
    ///   - network: over which it comes.
    ///   - bitsPerSecond: how fast that is; nil where it is not known.
    ///   - aheadSeconds: how much sound is in store.
    /// - Returns: the place of the choice among `bandwidths`, which must not be empty.
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
        // Downwards only when the store is running low: a dip of the network passes unheard otherwise.
        return aheadSeconds < downSeconds ? fitting : current
    }
}
