/// The features of a track in musical time: twelve steps per beat of a tracked pulse, so that halves, thirds and quarters of a
/// beat are whole numbers of steps at any tempo.
struct BeatSteps {
    /// Steps per beat.
    static let perBeat = 12
    /// The features relative to their mean, in units of their deviation, are within ± this.
    private static let limit: Float = 4
    /// Added to the deviation of each feature, in units of ``BeatFeatures``: a band without onsets stays near 0.
    private static let floor: Float = 4

    /// The features of each step: the mean from half a step before to half a step after pulse i / `perBeat`.
    private(set) var steps: [SIMD16<Float>]

    /// - Parameters:
    ///   - features: the features, frame by frame.
    ///   - beatFrames: times of the pulses in frames, ascending; at least two.
    init(features: BeatFeatures, beatFrames: [Double]) {
        let frames = features.frames
        // Frame k spans k − ½ to k + ½.
        let limited = { (time: Double) in min(max(time + 0.5, 0), Double(frames.count)) }
        steps = []
        steps.reserveCapacity(Self.perBeat * max(0, beatFrames.count - 1))
        for (beat, next) in zip(beatFrames, beatFrames.dropFirst()) {
            let length = (next - beat) / Double(Self.perBeat)
            for step in 0..<Self.perBeat {
                let start = limited(beat + (Double(step) - 0.5) * length)
                let end = limited(beat + (Double(step) + 0.5) * length)
                steps.append(Self.sum(of: frames, from: start, to: end) / Float(max(end - start, 1e-3)))
            }
        }
        normalise()
    }

    /// Returns the sum of the frames in a range of times, with parts of frames.
    private static func sum(
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
        guard !steps.isEmpty else { return }
        let scale = 1 / Float(steps.count)
        let mean = steps.reduce(SIMD16<Float>.zero, +) * scale
        let variance = steps.reduce(SIMD16<Float>.zero) { $0 + ($1 - mean) * ($1 - mean) } * scale
        let factor = 1 / (variance.squareRoot() + Self.floor)
        let limit = SIMD16<Float>(repeating: Self.limit)
        for index in steps.indices {
            steps[index] = ((steps[index] - mean) * factor).clamped(lowerBound: -limit, upperBound: limit)
        }
    }
}
