/// Detects the key of a track: tonal peaks in the spectra of the decimated mono mix, tuned, collected by pitch class and chord,
/// and compared with learned profiles of the keys.
///
/// Memory use is fixed but for ``chroma``, 120 kB per hour.
package final class KeyDetector {
    /// Minimum sample rate after decimation; tones are detected up to 2 kHz.
    private static let lowestRate = 5_000.0
    /// Minimum duration of sound in seconds for a key to be detected.
    private static let shortest = 1.0
    /// Weight of tones per frame below which the signal is not tonal: the level of peaks in noise.
    static let leastTonality: Float = 0.16

    private let stages: [Decimator]
    private let rate: Double
    private let overlap: Int
    private var peaks: TonalPeaks
    private(set) var evidence = KeyEvidence()
    /// The pitch classes over time.
    package private(set) var chroma: ChromaCurve
    private var pending: [Float]
    private var pendingCount = 0

    package init(sampleRate: Double, expectedSeconds: Double = 0) {
        var rate = sampleRate
        var stages: [Decimator] = []
        while rate / 2 >= Self.lowestRate {
            let factor = [4, 3, 2].first { rate / Double($0) >= Self.lowestRate } ?? 2
            stages.append(Decimator(factor: factor, passband: TonalPeaks.highest * 1.05 / rate))
            rate /= Double(factor)
        }
        self.stages = stages
        self.rate = rate
        peaks = TonalPeaks(sampleRate: rate, frameLength: rate > 6_500 ? 8192 : 4096)
        overlap = peaks.frameLength / 3
        pending = [Float](repeating: 0, count: peaks.frameLength)
        chroma = ChromaCurve(
            firstSeconds: Double(peaks.frameLength) / 2 / rate,
            secondsPerFrame: Double(peaks.frameLength - overlap) / rate, expectedSeconds: expectedSeconds)
    }

    /// Consumes the next samples of the mono mix.
    package func consume(_ mono: UnsafeBufferPointer<Float>) { decimate(mono, stage: 0) }

    /// Returns the detected key; nil for silence, noise or too little sound.
    package func finish() -> MusicalKey? {
        let seconds = Double(evidence.frameCount) * Double(peaks.frameLength - overlap) / rate
        guard seconds >= Self.shortest, tonality >= Self.leastTonality else { return nil }
        return KeyModel.trained.key(evidence)
    }

    /// Returns the keys of the track's parts if it clearly changes its key.
    package func sections() -> [KeySection] { KeySectionModel.trained.sections(of: chroma) }

    /// Average weight of tones per frame.
    var tonality: Float { evidence.frameCount > 0 ? evidence.totalWeight / Float(evidence.frameCount) : 0 }

    private func decimate(_ samples: UnsafeBufferPointer<Float>, stage: Int) {
        guard stage < stages.count else { return gather(samples) }
        stages[stage].process(samples) { decimate($0, stage: stage + 1) }
    }

    /// Fills frames that overlap by a third, and finds the tones in each.
    private func gather(_ samples: UnsafeBufferPointer<Float>) {
        var taken = 0
        while taken < samples.count {
            let count = min(samples.count - taken, pending.count - pendingCount)
            pending.withUnsafeMutableBufferPointer { pending in
                for i in 0..<count { pending[pendingCount + i] = samples[taken + i] }
            }
            pendingCount += count
            taken += count
            guard pendingCount == pending.count else { continue }
            let soundingFrames = evidence.frameCount
            pending.withUnsafeBufferPointer { peaks.add($0, to: &evidence) }
            if evidence.frameCount > soundingFrames {
                chroma.append(evidence.latest, bass: evidence.latestBass)
            } else {
                chroma.append(.zero, bass: nil)
            }
            pending.withUnsafeMutableBufferPointer { pending in
                for i in 0..<overlap { pending[i] = pending[pending.count - overlap + i] }
            }
            pendingCount = overlap
        }
    }
}
