import TestSupport
import Testing

@testable import Analyzer

/// The test signals of EBU Tech 3342 (version 3), table 1: steps of a stereo 1 kHz tone, 20 s each.
@Suite("EBU Tech 3342")
struct EBUTech3342Tests {
    @Test(
        "Loudness range",
        arguments: [
            ([-20.0, -30], 10.0), ([-20, -15], 5), ([-40, -20], 20), ([-50, -35, -20, -35, -50], 15),
        ] as [([Double], Double)])
    func loudnessRange(levels: [Double], expected: Double) {
        let signal = levels.reduce(Signal(sampleRate: 48_000)) { $0.sine(1000, peakDB: $1, 20) }
        let measured = MeteredSignal.measure([signal, signal])
        #expect(abs(measured.loudnessRangeLU - expected) <= 1)
        #expect(abs(AlbumLoudness(of: [measured]).loudnessRangeLU - measured.loudnessRangeLU) <= 0.1)
    }
}
