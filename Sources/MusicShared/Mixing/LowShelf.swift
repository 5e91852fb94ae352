internal import Foundation

/// A second-order low shelf with a variable gain, for interleaved samples.
///
/// Coefficients of the Audio EQ Cookbook (R. Bristow-Johnson, W3C note) with a shelf slope of 1. Direct form I, as the Web Audio API
/// defines its filters: while the gain changes, other forms differ from it by about 1 %.
public struct LowShelf: Sendable {
    /// The last two samples before and after the filter.
    private struct State {
        var x1 = 0.0
        var x2 = 0.0
        var y1 = 0.0
        var y2 = 0.0
    }

    private let cosine: Double
    private let sine: Double
    private var coefficients = (b0: 1.0, b1: 0.0, b2: 0.0, a1: 0.0, a2: 0.0)
    private var state: [State]
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
        state = Array(repeating: State(), count: max(1, channelCount))
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
        let past = state[channel]
        let y =
            coefficients.b0 * x + coefficients.b1 * past.x1 + coefficients.b2 * past.x2
            - coefficients.a1 * past.y1 - coefficients.a2 * past.y2
        state[channel] = State(x1: x, x2: past.x1, y1: y, y2: past.y1)
        return Float(y)
    }
}
