/// A group of bands of an onset envelope, prepared for correlation: a sequence of the flux above its surroundings, normalised,
/// smoothed and centred, one value per frame.
///
/// The values are recomputed on each iteration, so that they take no memory regardless of the track's length.
struct OnsetGroup: Sequence {
    /// Weights of the bands in each group: kick and bass, melody and harmony, cymbals, and everything.
    private static let weights: [SIMD4<Float>] = [
        SIMD4(1, 0, 0, 0), SIMD4(0, 1, 1, 0), SIMD4(0, 0, 0, 1), SIMD4(1, 1, 1, 1),
    ]

    /// Returns all groups of an envelope, in that order.
    static func all(of envelope: OnsetEnvelope) -> [OnsetGroup] {
        weights.map { OnsetGroup(envelope, weights: $0) }
    }

    private let envelope: OnsetEnvelope
    private let weights: SIMD4<Float>
    /// Standard deviation of the flux above its surroundings.
    private let deviation: Float

    private init(_ envelope: OnsetEnvelope, weights: SIMD4<Float>) {
        self.envelope = envelope
        self.weights = weights
        var rises = Rises(envelope, weights)
        var spread = Spread()
        while let rise = rises.next() { spread.add(rise) }
        deviation = spread.standardDeviation
    }

    /// Number of values.
    var frameCount: Int { envelope.frameCount }

    func makeIterator() -> Iterator { Iterator(envelope, weights, deviation) }

    /// The values in order.
    struct Iterator: IteratorProtocol {
        private var rises: Rises
        private let deviation: Float
        private var centre: MovingMean
        private var isEnded = false
        // The value being smoothed, and the one before it.
        private var before: Float = 0
        private var at: Float?

        fileprivate init(_ envelope: OnsetEnvelope, _ weights: SIMD4<Float>, _ deviation: Float) {
            rises = Rises(envelope, weights)
            self.deviation = deviation
            centre = MovingMean(window: 2 * Int(envelope.framesPerSecond.rounded()) | 1)
        }

        @inline(__always)
        mutating func next() -> Float? {
            guard deviation > 0 else { return rises.next() }
            while !isEnded {
                let rise = rises.next()
                isEnded = rise == nil
                // A single crash must not outweigh a bar of quiet playing.
                let after = rise.map { Swift.min(5, $0 / deviation) }
                defer {
                    before = at ?? 0
                    at = after
                }
                guard let at else { continue }
                // Onset distances are rarely a whole number of frames: without smoothing they would not correlate.
                let smoothed = 0.25 * before + 0.5 * at + 0.25 * (after ?? 0)
                if let (value, mean) = centre.append(smoothed) { return value - mean }
            }
            return centre.drain().map { $0.value - $0.mean }
        }
    }
}

/// The flux of some bands above the mean of the surrounding second: the constant fluctuation of a dense texture is not an onset.
private struct Rises {
    private let strengths: [SIMD4<UInt16>]
    private let weights: SIMD4<Float>
    private var frame = 0
    private var level: MovingMean

    init(_ envelope: OnsetEnvelope, _ weights: SIMD4<Float>) {
        strengths = envelope.strengths
        self.weights = weights
        level = MovingMean(window: Int(envelope.framesPerSecond.rounded()) | 1)
    }

    @inline(__always)
    mutating func next() -> Float? {
        while frame < strengths.count {
            let flux = (SIMD4<Float>(strengths[frame]) * weights).sum() / OnsetEnvelope.unitsPerOctave
            frame += 1
            if let (value, mean) = level.append(flux) { return max(0, value - mean) }
        }
        return level.drain().map { max(0, $0.value - $0.mean) }
    }
}
