/// The onset strength of a band group by its position within the beat: twelve steps, so that halves, thirds and quarters of the
/// beat are whole numbers of steps.
struct BeatProfile {
    /// Steps per beat.
    static let stepCount = 12
    /// Samples per beat: two for each step.
    private static let sampleCount = 2 * stepCount

    /// Mean strength of each step over all beats; step 0 is the beat.
    let mean: [Float]
    /// Standard deviation of each step's strength over all beats: high where only some of the beats have an onset.
    let deviation: [Float]

    /// - Parameters:
    ///   - group: onset strengths, one per frame.
    ///   - beatFrames: times of the beats in frames, ascending; at least two.
    init(group: OnsetGroup, beatFrames: [Double]) {
        var sums = [Float](repeating: 0, count: Self.stepCount)
        var squares = sums
        var frames = Sampler(group)
        var before: Float = 0
        for (beat, next) in zip(beatFrames, beatFrames.dropFirst()) {
            let length = (next - beat) / Double(Self.sampleCount)
            for step in 0..<Self.stepCount {
                let at = frames.value(at: beat + Double(2 * step) * length)
                let after = frames.value(at: beat + Double(2 * step + 1) * length)
                let value = 0.25 * before + 0.5 * at + 0.25 * after
                sums[step] += value
                squares[step] += value * value
                before = after
            }
        }
        let count = Float(max(1, beatFrames.count - 1))
        mean = sums.map { $0 / count }
        deviation = zip(squares, mean).map { max(0, $0 / count - $1 * $1).squareRoot() }
    }
}

/// Interpolates the values of a group at ascending positions.
private struct Sampler {
    private var values: OnsetGroup.Iterator
    /// Frame of `after`; the other value is that of the frame before.
    private var frame = -1
    private var before: Float = 0
    private var after: Float = 0

    init(_ group: OnsetGroup) { values = group.makeIterator() }

    /// Returns the value at a position in frames, not before that of the previous call; 0 outside the group.
    mutating func value(at position: Double) -> Float {
        while Double(frame) < position {
            before = after
            after = values.next() ?? 0
            frame += 1
        }
        // Positions before the first frame.
        guard frame >= 0 else { return 0 }
        return after + Float(Double(frame) - position) * (before - after)
    }
}
