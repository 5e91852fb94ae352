import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// The test signals of EBU Tech 3341 (version 3), table 1, at 48 kHz and 44.1 kHz.
@Suite("EBU Tech 3341")
struct EBUTech3341Tests {
    static let rates = [48_000.0, 44_100]

    private func tones(_ rate: Double, _ parts: [(seconds: Double, db: Double)]) -> Signal {
        parts.reduce(Signal(sampleRate: rate)) { $0.sine(1000, peakDB: $1.db, $1.seconds) }
    }

    private func stereo(_ rate: Double, _ parts: [(seconds: Double, db: Double)]) -> [Signal] {
        let signal = tones(rate, parts)
        return [signal, signal]
    }

    @Test("1 and 2: steady tones", arguments: rates, [-23.0, -33])
    func steadyTones(rate: Double, level: Double) throws {
        let measured = MeteredSignal.measure(stereo(rate, [(20, level)]))
        #expect(abs(try #require(measured.integratedLUFS) - level) <= 0.1)
        #expect(abs(try #require(measured.maxMomentaryLUFS) - level) <= 0.1)
        #expect(abs(try #require(measured.maxShortTermLUFS) - level) <= 0.1)
    }

    @Test("3, 4 and 5: the gates", arguments: rates)
    func gates(rate: Double) throws {
        let third: [(seconds: Double, db: Double)] = [(10, -36), (60, -23), (10, -36)]
        let cases = [
            third, [(10, -72)] + third + [(10, -72)], [(20, -26), (20.1, -20), (20, -26)],
        ]
        for parts in cases {
            let measured = MeteredSignal.measure(stereo(rate, parts))
            #expect(abs(try #require(measured.integratedLUFS) + 23) <= 0.1)
        }
    }

    @Test("6: five channels", arguments: rates)
    func fiveChannels(rate: Double) throws {
        let channels = [-28.0, -28, -24, -30, -30].map { tones(rate, [(20, $0)]) }
        let measured = MeteredSignal.measure(channels, weights: [1, 1, 1, 1.41, 1.41])
        #expect(abs(try #require(measured.integratedLUFS) + 23) <= 0.1)
    }

    @Test("9: short-term loudness stays constant", arguments: rates)
    func constantShortTerm(rate: Double) {
        let parts = [[(seconds: Double, db: Double)]](repeating: [(1.34, -20), (1.66, -30)], count: 5).flatMap
        { $0 }
        let meter = MeteredSignal.meter(stereo(rate, parts))
        #expect(meter.shortTermEnergies.count >= 100)
        for energy in meter.shortTermEnergies {
            #expect(abs(Loudness.lufs(energy: Double(energy)) + 23) <= 0.1)
        }
    }

    @Test("10: 3 s tones at any offset", arguments: rates)
    func shortTermOffsets(rate: Double) throws {
        for step in 0..<20 {
            let signal = Signal(sampleRate: rate).silence(Double(step) * 0.15).sine(1000, peakDB: -23, 3)
                .silence(1)
            let measured = MeteredSignal.measure([signal, signal])
            #expect(abs(try #require(measured.maxShortTermLUFS) + 23) <= 0.1, "offset \(step)")
        }
    }

    @Test("11: 3 s tones of rising level", arguments: rates)
    func shortTermLevels(rate: Double) throws {
        for step in 0..<20 {
            let level = -38 + Double(step)
            let signal = Signal(sampleRate: rate).silence(Double(step) * 0.15).sine(1000, peakDB: level, 3)
                .silence(3 - Double(step) * 0.15)
            let measured = MeteredSignal.measure([signal, signal])
            #expect(abs(try #require(measured.maxShortTermLUFS) - level) <= 0.1, "step \(step)")
        }
    }

    @Test("12: momentary loudness stays constant", arguments: rates)
    func constantMomentary(rate: Double) {
        let parts = [[(seconds: Double, db: Double)]](repeating: [(0.18, -20), (0.22, -30)], count: 25)
            .flatMap { $0 }
        let meter = MeteredSignal.meter(stereo(rate, parts))
        let settled = meter.momentaryEnergies.dropFirst(7)
        #expect(settled.count >= 80)
        for energy in settled { #expect(abs(Loudness.lufs(energy: Double(energy)) + 23) <= 0.1) }
    }

    @Test("13: 400 ms tones at any offset", arguments: rates)
    func momentaryOffsets(rate: Double) throws {
        for step in 0..<20 {
            let signal = Signal(sampleRate: rate).silence(Double(step) * 0.02).sine(1000, peakDB: -23, 0.4)
                .silence(1)
            let measured = MeteredSignal.measure([signal, signal])
            #expect(abs(try #require(measured.maxMomentaryLUFS) + 23) <= 0.1, "offset \(step)")
        }
    }

    @Test("14: 400 ms tones of rising level", arguments: rates)
    func momentaryLevels(rate: Double) throws {
        for step in 0..<20 {
            let level = -38 + Double(step)
            let signal = Signal(sampleRate: rate).silence(Double(step) * 0.02).sine(1000, peakDB: level, 0.4)
                .silence(0.4 - Double(step) * 0.02)
            let measured = MeteredSignal.measure([signal, signal])
            #expect(abs(try #require(measured.maxMomentaryLUFS) - level) <= 0.1, "step \(step)")
        }
    }

    @Test(
        "15 to 19: true peak between the samples",
        arguments: [
            (4.0, 0.5, 0.0, -6.0), (4, 0.5, 45, -6), (6, 0.5, 60, -6), (8, 0.5, 67.5, -6), (4, 1.41, 45, 3),
        ])
    func truePeaks(divisor: Double, amplitude: Double, degrees: Double, expected: Double) throws {
        for rate in Self.rates {
            let signal = Signal(sampleRate: rate)
                .sine(rate / divisor, peakDB: 20 * log10(amplitude), 1, degrees: degrees)
                .shaped { min(1, $0 / 0.01, (1 - $0) / 0.01) }
            let peak = try #require(MeteredSignal.measure([signal, signal]).truePeakDBTP)
            #expect(peak - expected <= 0.2 && peak - expected >= -0.4, "\(peak) dBTP at \(rate) Hz")
        }
    }

    @Test("20 to 23: one loud period in the middle of a tone", arguments: rates, [0, 1, 2, 3])
    func singlePeriod(rate: Double, offset: Int) throws {
        let made = Self.periodOfQuarterRate(rate: rate, offset: offset)
        let peak = try #require(MeteredSignal.measure([made, made]).truePeakDBTP)
        #expect(peak <= 0.2 && peak >= -0.4, "\(peak) dBTP")
    }

    /// Returns fs/6 at 0.5 with one phase-continuous period of fs/4 at 1.0, generated at 4 · fs, low-passed and decimated.
    private static func periodOfQuarterRate(rate: Double, offset: Int) -> Signal {
        let high = 4 * rate
        let count = Int(high / 4)
        let middle = count / 2 / 24 * 24
        var samples = [Double](repeating: 0, count: count)
        for i in samples.indices {
            if i < middle || i >= middle + 16 {
                // After a whole period of fs/4 the phase is the same as before.
                let phase = Double(i < middle ? i : i - 16) / 24
                samples[i] = 0.5 * sin(2 * .pi * phase)
            } else {
                samples[i] = sin(2 * .pi * Double(i - middle) / 16)
            }
        }
        let reach = 64
        let taps = (-reach...reach).map { k -> Double in
            let x = Double(k) / 4
            let sinc = k == 0 ? 1 : sin(.pi * x) / (.pi * x)
            return sinc / 4 * (0.5 + 0.5 * cos(.pi * Double(k) / Double(reach + 1)))
        }
        let filtered = samples.indices.map { i in
            taps.indices.reduce(0.0) { sum, tap in
                let at = i + tap - reach
                return at >= 0 && at < count ? sum + taps[tap] * samples[at] : sum
            }
        }
        var signal = Signal(sampleRate: rate)
        signal.samples = stride(from: offset, to: count, by: 4).map { Float(filtered[$0]) }
        return signal.shaped { min(1, $0 / 0.01, (signal.seconds - $0) / 0.01) }
    }
}
