/// The strengths of the twelve pitch classes over time, relative to the strongest, and the bass: about two frames per second.
package struct ChromaCurve: Sendable {
    /// The lane of a frame that holds the pitch class of the bass plus 1; 0 without one.
    static let bassLane = 12

    /// Twelve values per frame, 255 for the strongest pitch class, then ``bassLane``; all 0 in silence. The other lanes are 0.
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
    /// - Parameter bass: pitch class of the bass, 0…11; nil without one.
    mutating func append(_ chroma: KeyEvidence.Chroma, bass: Int?) {
        let largest = chroma.max()
        guard largest > 0 else { return frames.append(.zero) }
        var frame = SIMD16<UInt8>(
            (chroma * (255 / largest)).clamped(lowerBound: .zero, upperBound: .init(repeating: 255)))
        frame[Self.bassLane] = bass.map { UInt8($0 + 1) } ?? 0
        frames.append(frame)
    }

    /// Returns the mean of the frames between two times, parts of frames counted in part; its ``bassLane`` has no meaning.
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
