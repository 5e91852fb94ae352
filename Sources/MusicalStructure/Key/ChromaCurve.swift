/// The strengths of the twelve pitch classes over time, relative to the strongest: about two frames per second.
package struct ChromaCurve: Sendable {
    /// Twelve values per frame, 255 for the strongest pitch class; all 0 in silence. The other lanes are 0.
    private(set) var frames: [SIMD16<UInt8>] = []
    /// Time of the middle of the first frame.
    let firstSeconds: Double
    /// Distance of the frames.
    let secondsPerFrame: Double

    /// Creates an empty curve.
    /// - Parameter expectedSeconds: duration of audio to reserve memory for.
    init(firstSeconds: Double, secondsPerFrame: Double, expectedSeconds: Double = 0) {
        self.firstSeconds = firstSeconds
        self.secondsPerFrame = secondsPerFrame
        frames.reserveCapacity(Int(max(0, expectedSeconds) / secondsPerFrame) + 1)
    }

    /// Appends a frame.
    mutating func append(_ chroma: KeyEvidence.Chroma) {
        let largest = chroma.max()
        guard largest > 0 else { return frames.append(.zero) }
        frames.append(
            SIMD16<UInt8>(
                (chroma * (255 / largest)).clamped(lowerBound: .zero, upperBound: .init(repeating: 255))))
    }

    /// Returns the mean of the frames between two times, parts of frames counted in part.
    func mean(from start: Double, to end: Double) -> SIMD16<Float> {
        // Frame k spans k − ½ to k + ½.
        let place = { (seconds: Double) in
            min(max((seconds - firstSeconds) / secondsPerFrame + 0.5, 0), Double(frames.count))
        }
        let low = place(start)
        let high = place(end)
        guard high > low else { return .zero }
        return BeatSteps.sum(of: frames, from: low, to: high) / Float(high - low)
    }
}
