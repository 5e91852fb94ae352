import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Compares our meter with libebur128, the reference implementation, in the cases of EBU Tech 3341 and 3342.
///
/// libebur128 derives its loudness range from short-term values a second apart. Both meters are therefore compared by the
/// percentiles of Tech 3342 over libebur128's short-term values at 10 Hz.
@Suite("Built-in and reference loudness", .timeLimit(.minutes(30)))
struct ReferenceLoudnessTests {
    /// A case: a sequence of 1 kHz tones, each with its level in every channel.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var parts: [(seconds: Double, db: [Double])]

        init(_ name: String, _ parts: [(seconds: Double, db: Double)]) {
            testDescription = name
            self.parts = parts.map { ($0.seconds, [$0.db, $0.db]) }
        }
    }

    static let cases = [
        Case("3341-1", [(20, -23)]), Case("3341-2", [(20, -33)]),
        Case("3341-3", [(10, -36), (60, -23), (10, -36)]),
        Case("3341-4", [(10, -72), (10, -36), (60, -23), (10, -36), (10, -72)]),
        Case("3341-5", [(20, -26), (20.1, -20), (20, -26)]),
        Case("3342-1", [(20, -20), (20, -30)]), Case("3342-2", [(20, -20), (20, -15)]),
        Case("3342-3", [(20, -40), (20, -20)]),
        Case("3342-4", [(20, -50), (20, -35), (20, -20), (20, -35), (20, -50)]),
    ]

    @Test("Tones of the standard's cases", arguments: cases, [44_100.0, 48_000])
    func standardCases(_ standard: Case, rate: Double) throws {
        let channels = (0..<2).map { channel in
            standard.parts.reduce(Signal(sampleRate: rate)) {
                $0.sine(1000, peakDB: $1.db[channel], $1.seconds)
            }
        }
        try compare(channels)
    }

    @Test("True peaks of the standard's cases", arguments: [(4.0, 0.0), (4, 45), (6, 60), (8, 67.5)])
    func truePeakCases(divisor: Double, degrees: Double) throws {
        let signal = Signal(sampleRate: 48_000).sine(12_000 * 4 / divisor, peakDB: -6, 4, degrees: degrees)
            .shaped { min(1, $0 / 0.01, (4 - $0) / 0.01) }
        try compare([signal, signal])
    }

    @Test("Music-like signal: chords, beats and a pause", arguments: [44_100, 48_000])
    func music(rate: Int) throws {
        let chord = (0..<2).map { channel in
            Signal(sampleRate: Double(rate)).noise(peakDB: -20, 40, seed: UInt64(channel + 1)).shaped {
                time in
                let beat = exp(-8 * (time * 2).truncatingRemainder(dividingBy: 1))
                let tones = [110.0, 138.6, 164.8, 220].enumerated().reduce(0.0) {
                    $0 + sin(2 * .pi * $1.element * time + Double($1.offset + channel))
                }
                // Four passages at different levels, and a pause.
                let passage = [1.0, 0.3, 0, 0.6, 0.1][Int(time / 8) % 5]
                return passage * (beat + tones)
            }
        }
        try compare(chord)
    }

    private func compare(_ channels: [Signal], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let ours = MeteredSignal.measure(channels)
        let reference = try MeteredSignal.reference(channels)
        let integrated = try #require(ours.integratedLUFS, sourceLocation: sourceLocation)
        let expected = try #require(reference.integratedLUFS, sourceLocation: sourceLocation)
        #expect(abs(integrated - expected) <= 0.01, sourceLocation: sourceLocation)
        let peak = try #require(ours.truePeakDBTP, sourceLocation: sourceLocation)
        let expectedPeak = try #require(reference.truePeakDBTP, sourceLocation: sourceLocation)
        #expect(abs(peak - expectedPeak) <= 0.01, sourceLocation: sourceLocation)
        let range = LoudnessMeterTests.range(of: try MeteredSignal.referenceShortTerm(channels))
        #expect(abs(ours.loudnessRangeLU - range) <= 0.01, sourceLocation: sourceLocation)
    }
}
