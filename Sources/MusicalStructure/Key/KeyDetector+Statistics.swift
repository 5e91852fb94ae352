import Foundation

extension KeyDetector {
    /// Number of values of ``statistics``.
    package static let statisticCount = 4 * 12 + 6 + 3
    /// Added before the logarithm of the tonality: that of a signal with hardly any tones.
    private static let tonalityFloor: Float = 0.05

    /// Which tones a track has, for comparing tracks; nil without sound, or for less than a frame.
    ///
    /// Square roots of the shares of the twelve pitch classes, of the basses, and of major and minor triads by root; magnitudes of the
    /// discrete Fourier transform of the pitch classes, which do not depend on the key; the tonality; how much the pitch classes
    /// change from frame to frame; and the mean entropy of a frame, in nats.
    package var statistics: [Float]? {
        let frameCount = Float(evidence.frameCount)
        let total = evidence.total.sum()
        guard frameCount > 0, total > 0 else { return nil }
        let shares = evidence.total / total
        func roots(_ vector: KeyEvidence.Chroma) -> [Float] {
            (0..<12).map { max(0, vector[$0]).squareRoot() }
        }
        var values = roots(shares)
        for vector in [evidence.bass, evidence.majorChords, evidence.minorChords] {
            values += roots(vector / frameCount)
        }
        for order in 1...6 {
            var real = 0.0
            var imaginary = 0.0
            for pitch in 0..<12 {
                let angle = 2 * Double.pi * Double(order * pitch) / 12
                real += Double(shares[pitch]) * cos(angle)
                imaginary -= Double(shares[pitch]) * sin(angle)
            }
            values.append(Float(hypot(real, imaginary)))
        }
        values.append(log(tonality + Self.tonalityFloor))
        let (change, entropy) = variety
        return values + [change, entropy]
    }

    /// The mean sum of the changes of the pitch classes' shares from one frame to the next, 0…2, and the mean entropy of a frame's shares.
    private var variety: (change: Float, entropy: Float) {
        var previous: SIMD16<Float>?
        var change: Float = 0
        var entropy: Float = 0
        var count: Float = 0
        for frame in chroma.frames {
            var shares = SIMD16<Float>(frame)
            shares[ChromaCurve.bassLane] = 0
            let sum = shares.sum()
            guard sum > 0 else { continue }
            shares /= sum
            for pitch in 0..<12 where shares[pitch] > 0 { entropy -= shares[pitch] * log(shares[pitch]) }
            if let previous {
                let difference = shares - previous
                change += difference.replacing(with: -difference, where: difference .< 0).sum()
            }
            previous = shares
            count += 1
        }
        return (count > 1 ? change / (count - 1) : 0, count > 0 ? entropy / count : 0)
    }
}
