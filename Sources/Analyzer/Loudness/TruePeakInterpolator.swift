import Foundation

/// The polyphase interpolator for true peak (BS.1770-4, annex 2): a 49-tap Hann-windowed sinc with 4× oversampling below 96 kHz
/// and 2× below 192 kHz; the same filter as in libebur128.
struct TruePeakInterpolator: Sendable {
    /// A phase between the original samples: the taps that weight the surrounding samples.
    struct Phase: Sendable {
        /// Taps from the newest sample to the oldest.
        let taps: [Float]
        /// Σ |taps|: the maximum ratio of an output to the largest input.
        let gainBound: Double
    }

    /// Number of input samples per output.
    let window: Int
    /// The phases other than the samples themselves, in order of delay.
    let phases: [Phase]
    /// The largest gain bound of all phases.
    let gainBound: Double

    /// Creates the interpolator for a sample rate in Hz; from 192 kHz there is nothing to interpolate.
    init(sampleRate: Double) {
        let factor = sampleRate < 96_000 ? 4 : sampleRate < 192_000 ? 2 : 1
        let tapCount = 49
        window = (tapCount - 1) / factor
        var phases: [Phase] = []
        for phase in 0..<factor where phase > 0 {
            // Phase 0 of the symmetric sinc is the identity: the samples themselves.
            var taps = [Float](repeating: 0, count: window)
            for tap in 0..<window {
                let position = phase + tap * factor
                let offset = Double(position) - Double(tapCount - 1) / 2
                let angle = offset * .pi / Double(factor)
                let sinc = abs(offset) > 1e-6 ? sin(angle) / angle : 1
                let hann = 0.5 * (1 - cos(2 * .pi * Double(position) / Double(tapCount - 1)))
                taps[tap] = Float(sinc * hann)
            }
            phases.append(Phase(taps: taps, gainBound: taps.reduce(0) { $0 + Double(abs($1)) }))
        }
        self.phases = phases
        gainBound = max(1, phases.map { $0.gainBound }.max() ?? 1)
    }
}
