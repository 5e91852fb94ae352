internal import Foundation

/// A second-order low shelf with a variable gain, for interleaved samples.
///
/// Coefficients of the Audio EQ Cookbook (R. Bristow-Johnson, W3C note) with a shelf slope of 1; transposed direct form II, whose
/// state stays valid when the gain changes in small steps.
public struct LowShelf: Sendable {
    private let cosine: Double
    private let sine: Double
    private var coefficients = (b0: 1.0, b1: 0.0, b2: 0.0, a1: 0.0, a2: 0.0)
    private var state: [(Double, Double)]
    private var gainDB = 0.0

    /// Creates a filter that changes nothing.
    /// - Parameters:
    ///   - hertz: corner frequency, limited to less than half the sample rate.
    ///   - sampleRate: samples per second, at least 1.
    ///   - channelCount: number of channels, at least 1.
    public init(hertz: Double, sampleRate: Int, channelCount: Int) {
        let angle = 2 * Double.pi * min(0.49, max(0, hertz / Double(max(1, sampleRate))))
        cosine = cos(angle)
        sine = sin(angle)
        state = Array(repeating: (0, 0), count: max(1, channelCount))
    }

    /// Sets the gain of low frequencies in dB.
    public mutating func setGain(_ decibels: Double) {
        guard decibels != gainDB else { return }
        gainDB = decibels
        let a = pow(10, decibels / 40)
        let alpha = sine / 2 * 2.0.squareRoot()
        let root = 2 * a.squareRoot() * alpha
        let a0 = (a + 1) + (a - 1) * cosine + root
        coefficients = (
            b0: a * ((a + 1) - (a - 1) * cosine + root) / a0,
            b1: 2 * a * ((a - 1) - (a + 1) * cosine) / a0,
            b2: a * ((a + 1) - (a - 1) * cosine - root) / a0,
            a1: -2 * ((a - 1) + (a + 1) * cosine) / a0,
            a2: ((a + 1) + (a - 1) * cosine - root) / a0
        )
    }

    /// Filters a sample of a channel.
    public mutating func filter(_ sample: Float, channel: Int) -> Float {
        let x = Double(sample)
        let y = coefficients.b0 * x + state[channel].0
        state[channel] = (
            coefficients.b1 * x - coefficients.a1 * y + state[channel].1,
            coefficients.b2 * x - coefficients.a2 * y
        )
        return Float(y)
    }
}
