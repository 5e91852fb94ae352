import Foundation
import Testing

@testable import MusicalStructure

@Suite("Attack curve")
struct AttackCurveTests {
    /// Tones every half second from 0.5 s on, whose amplitude rises in a straight line from their start.
    private static func tones(
        riseSeconds: Double, sampleRate: Double = TempoSignal.sampleRate
    ) -> (samples: [Float], starts: [Double]) {
        let starts = (1...20).map { 0.5 * Double($0) }
        var samples = [Float](repeating: 0, count: Int(11 * sampleRate))
        for start in starts {
            let first = Int(start * sampleRate)
            for i in 0..<Int(0.3 * sampleRate) {
                let t = Double(i) / sampleRate
                let amplitude = riseSeconds > 0 ? min(1, t / riseSeconds) : 1
                samples[first + i] = Float(0.3 * amplitude * exp(-t / 0.1) * cos(2 * .pi * 440 * t))
            }
        }
        return (samples, starts)
    }

    private static func delay(
        _ samples: [Float], sampleRate: Double = TempoSignal.sampleRate, blockLength: Int = 1152,
        of beats: [Double]
    ) -> Double {
        var curve = AttackCurve(sampleRate: sampleRate)
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: blockLength) {
                curve.consume(
                    UnsafeBufferPointer(rebasing: samples[start..<min(samples.count, start + blockLength)]))
            }
        }
        return curve.delaySeconds(ofBeats: beats)
    }

    @Test(
        "Beats that are late or early by the same time are measured to 1.5 milliseconds",
        arguments: [-0.015, 0, 0.005, 0.01, 0.02, 0.03, 0.04], [8_000, 44_100, 48_000, 192_000.0])
    func lateness(late: Double, sampleRate: Double) {
        let (samples, starts) = Self.tones(riseSeconds: 0, sampleRate: sampleRate)
        let delay = Self.delay(samples, sampleRate: sampleRate, of: starts.map { $0 + late })
        #expect(abs(delay - late) <= 0.0015, "\(delay)")
    }

    /// A tone is audible when it is some 20 dB below its loudest: after a tenth of its rise.
    @Test("Slow attacks are dated near the start of the note", arguments: [0.005, 0.01, 0.02, 0.03])
    func slowAttacks(rise: Double) {
        let (samples, starts) = Self.tones(riseSeconds: rise)
        let delay = Self.delay(samples, of: starts.map { $0 + 0.025 })
        #expect(delay <= 0.025 + 0.001)
        #expect(delay >= 0.025 - 0.001 - 0.3 * rise, "\(delay)")
    }

    @Test("The division into blocks does not matter", arguments: [1, 7, 63, 64, 65, 4096])
    func blocks(length: Int) {
        let (samples, starts) = Self.tones(riseSeconds: 0.01)
        let beats = starts.map { $0 + 0.02 }
        let delay = Self.delay(samples, blockLength: length, of: beats)
        #expect(abs(delay - Self.delay(samples, of: beats)) <= 0.000_1)
    }

    @Test("A held chord below the notes does not matter")
    func chord() {
        var (samples, starts) = Self.tones(riseSeconds: 0)
        for i in samples.indices {
            for hertz in [196.0, 247, 294] {
                samples[i] += Float(0.02 * sin(2 * .pi * hertz * Double(i) / TempoSignal.sampleRate))
            }
        }
        let delay = Self.delay(samples, of: starts.map { $0 + 0.02 })
        #expect(abs(delay - 0.02) <= 0.003, "\(delay)")
    }

    @Test("Without attacks near the beats, there is no delay")
    func nothing() {
        let (samples, starts) = Self.tones(riseSeconds: 0)
        #expect(Self.delay(samples, of: []) == 0)
        #expect(Self.delay([], of: starts) == 0)
        #expect(Self.delay([Float](repeating: 0, count: 400_000), of: starts) == 0)
        #expect(Self.delay([Float](repeating: 0.5, count: 400_000), of: starts) == 0)
        // At the edges of the sound, and far outside.
        #expect(Self.delay(samples, of: [0, 0.01, 11, 50, -1]) == 0)
        #expect(Self.delay([Float](repeating: .nan, count: 400_000), of: starts) == 0)
        #expect(Self.delay([Float](repeating: .infinity, count: 400_000), of: starts) == 0)
    }
}
