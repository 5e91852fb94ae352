/// How each beat of a track sounds: rises, falls and levels in bands (``BeatFeatures``), and pitch classes (``ChromaCurve``), with
/// sums over beats.
struct BeatSound {
    /// Number of values of a beat: 13 of the bands, 12 of the pitch classes.
    static let valueCount = bandValueCount + 12
    /// Lanes of ``BeatFeatures`` without the change of harmony.
    private static let bandValueCount = 13
    /// Values that are compared together: rises of low bands, rises of high bands, falls, levels, pitch classes.
    static let groups = [0..<3, 3..<7, 7..<9, 9..<13, 13..<25]
    /// A typical difference of a value between sections.
    private static let scale =
        [Float](repeating: 30, count: 9) + [Float](repeating: 20, count: 4)
        + [Float](repeating: 64, count: 12)

    /// Number of beats; the last beat of a track is not one of them, because its end is not known.
    let count: Int
    /// The values of each beat.
    private let values: [Float]
    /// For each beat, the sums of the values of all beats before; one more than there are beats.
    private let sums: [Double]

    /// - Parameters:
    ///   - beatSeconds: times of the beats, ascending.
    ///   - latencySeconds: time of the first frame of the envelope.
    init(beatSeconds: [Double], envelope: OnsetEnvelope, chroma: ChromaCurve, latencySeconds: Double) {
        let frames = envelope.features.frames
        // Frame k spans k − ½ to k + ½.
        let place = { (seconds: Double) in
            min(max((seconds - latencySeconds) * envelope.framesPerSecond + 0.5, 0), Double(frames.count))
        }
        var values: [Float] = []
        values.reserveCapacity(Self.valueCount * beatSeconds.count)
        for (start, end) in zip(beatSeconds, beatSeconds.dropFirst()) {
            let low = place(start)
            let high = place(end)
            let bands =
                high > low ? BeatSteps.sum(of: frames, from: low, to: high) / Float(high - low) : .zero
            let tones = chroma.mean(from: start, to: end)
            for index in 0..<Self.bandValueCount { values.append(bands[index] / Self.scale[index]) }
            for tone in 0..<12 { values.append(tones[tone] / Self.scale[Self.bandValueCount + tone]) }
        }
        self.init(values: values)
    }

    /// - Parameter values: those of all beats, ``valueCount`` per beat.
    init(values: [Float]) {
        self.values = values
        count = values.count / Self.valueCount
        var sums = [Double](repeating: 0, count: Self.valueCount)
        sums.reserveCapacity(values.count + Self.valueCount)
        for (index, value) in values.enumerated() { sums.append(sums[index] + Double(value)) }
        self.sums = sums
    }

    /// Returns the root of the mean squared difference, by group, between the mean of the beats before a beat and that of the beats
    /// from it on.
    func difference(at beat: Int, before: Int, after: Int) -> [Float] {
        Self.groups.map { group in
            let squares = group.reduce(0.0) { sum, value in
                let earlier = total(beat - before..<beat, value) / Double(before)
                let later = total(beat..<beat + after, value) / Double(after)
                return sum + (later - earlier) * (later - earlier)
            }
            return Float((squares / Double(group.count)).squareRoot())
        }
    }

    /// Returns, for each beat, the sums by group over all beats before of the mean squared difference of a beat from the one `lag`
    /// beats earlier; beats without such a beat add nothing.
    func repetitionSums(lag: Int) -> [[Float]] {
        var sums = [[Float]](repeating: [Float](repeating: 0, count: Self.groups.count), count: count + 1)
        for beat in 0..<count {
            for (index, group) in Self.groups.enumerated() {
                let sum = sums[beat][index] + squaredChange(at: beat, lag: lag, group)
                sums[beat + 1][index] = sum
            }
        }
        return sums
    }

    /// Returns the root of the mean squared difference, by group, of a beat from the one `lag` beats earlier; 0 without such a beat.
    func change(at beat: Int, lag: Int) -> [Float] {
        Self.groups.map { squaredChange(at: beat, lag: lag, $0).squareRoot() }
    }

    private func squaredChange(at beat: Int, lag: Int, _ group: Range<Int>) -> Float {
        guard beat >= lag else { return 0 }
        let squares = group.reduce(Float(0)) { sum, value in
            let change =
                values[beat * Self.valueCount + value] - values[(beat - lag) * Self.valueCount + value]
            return sum + change * change
        }
        return squares / Float(group.count)
    }

    private func total(_ beats: Range<Int>, _ value: Int) -> Double {
        sums[beats.upperBound * Self.valueCount + value] - sums[beats.lowerBound * Self.valueCount + value]
    }
}
