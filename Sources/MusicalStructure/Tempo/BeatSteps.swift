/// The features of a track in musical time: twelve steps per beat of a tracked pulse, so that halves, thirds and quarters of a
/// beat are whole numbers of steps at any tempo.
struct BeatSteps {
    /// Steps per beat.
    static let perBeat = 12
    /// The features relative to their mean, in units of their deviation, are within ± this.
    private static let limit: Float = 4
    /// Added to the deviation of each feature, in units of ``BeatFeatures``: a band without onsets stays near 0.
    private static let floor: Float = 4

    /// Number of steps.
    let count: Int
    private let features: BeatFeatures
    private let beatFrames: [Double]
    /// The mean of each feature over all steps, and the factor from differences to normalised values.
    private var mean = SIMD16<Float>.zero
    private var factor = SIMD16<Float>.zero

    /// - Parameters:
    ///   - features: the features, frame by frame.
    ///   - beatFrames: times of the pulses in frames, ascending; at least two.
    init(features: BeatFeatures, beatFrames: [Double]) {
        self.features = features
        self.beatFrames = beatFrames
        count = Self.perBeat * max(0, beatFrames.count - 1)
        normalise()
    }

    /// Computes the features of some steps: normalised means from half a step before to half a step after pulse i / `perBeat`.
    /// The steps of hours of music would take more memory than all else that is kept of it.
    subscript(steps: Range<Int>) -> [SIMD16<Float>] {
        let limit = SIMD16<Float>(repeating: Self.limit)
        return steps.map {
            ((average($0) - mean) * factor).clamped(lowerBound: -limit, upperBound: limit)
        }
    }

    /// Returns the mean of the frames in a step.
    private func average(_ index: Int) -> SIMD16<Float> {
        let (pulse, step) = index.quotientAndRemainder(dividingBy: Self.perBeat)
        let beat = beatFrames[pulse]
        let length = (beatFrames[pulse + 1] - beat) / Double(Self.perBeat)
        let frames = features.frames
        // Frame k spans k − ½ to k + ½.
        let limited = { (time: Double) in min(max(time + 0.5, 0), Double(frames.count)) }
        let start = limited(beat + (Double(step) - 0.5) * length)
        let end = limited(beat + (Double(step) + 0.5) * length)
        return Self.sum(of: frames, from: start, to: end) / Float(max(end - start, 1e-3))
    }

    /// Returns the sum of the frames in a range of times, with parts of frames.
    static func sum(
        of frames: [SIMD16<UInt8>], from start: Double, to end: Double
    ) -> SIMD16<Float> {
        var sum = SIMD16<Float>.zero
        var frame = Int(start)
        while Double(frame) < end {
            let part = min(end, Double(frame + 1)) - max(start, Double(frame))
            sum += Float(part) * SIMD16<Float>(frames[frame])
            frame += 1
        }
        return sum
    }

    private mutating func normalise() {
        guard count > 0 else { return }
        var sum = SIMD16<Double>.zero
        var squares = SIMD16<Double>.zero
        for index in 0..<count {
            let value = SIMD16<Double>(average(index))
            sum += value
            squares += value * value
        }
        let scale = 1 / Double(count)
        let variance = squares * scale - (sum * scale) * (sum * scale)
        mean = SIMD16<Float>(sum * scale)
        factor =
            1 / (SIMD16<Float>(variance.replacing(with: 0, where: variance .< 0)).squareRoot() + Self.floor)
    }
}
