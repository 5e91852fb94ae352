import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite("Loudness meter")
struct LoudnessMeterTests {
    /// Returns a music-like signal: noise and tones with a slow envelope, different in both channels.
    private func programme(rate: Double, seconds: Double, seed: UInt64) -> [Signal] {
        (0..<2).map { channel in
            Signal(sampleRate: rate).noise(peakDB: -6, seconds, seed: seed + UInt64(channel))
                .shaped { time in
                    let swell = 0.15 + 0.85 * pow(sin(time * 0.35 + Double(channel)), 2)
                    return swell * (0.6 + 0.4 * sin(2 * .pi * 110 * time))
                }
        }
    }

    @Test("Agrees with libebur128", arguments: [44_100.0, 48_000, 32_000, 22_050, 11_025, 8000])
    func agreesWithReference(rate: Double) throws {
        let signal = programme(rate: rate, seconds: 30, seed: UInt64(rate))
        let ours = MeteredSignal.measure(signal)
        let reference = try MeteredSignal.reference(signal)
        let integrated = try #require(ours.integratedLUFS)
        #expect(abs(integrated - (try #require(reference.integratedLUFS))) <= 0.01)
        #expect(abs(try #require(ours.truePeakDBTP) - (try #require(reference.truePeakDBTP))) <= 0.01)
        #expect(ours.samplePeak == reference.samplePeak)
        #expect(abs(try #require(ours.maxMomentaryLUFS) - (try #require(reference.maxMomentaryLUFS))) <= 0.02)
        #expect(abs(try #require(ours.maxShortTermLUFS) - (try #require(reference.maxShortTermLUFS))) <= 0.02)
        // libebur128's own range samples the short-term loudness once per second; its short-term values at 10 Hz give the range
        // according to the standard.
        let range = Self.range(of: try MeteredSignal.referenceShortTerm(signal))
        #expect(abs(ours.loudnessRangeLU - range) <= 0.01)
    }

    /// Returns the loudness range of short-term values in LUFS, implemented from EBU Tech 3342, section 3.
    static func range(of values: [Double]) -> Double {
        let absolute = values.filter { $0 >= -70 }
        let mean = absolute.reduce(0) { $0 + pow(10, $1 / 10) } / Double(absolute.count)
        let gated = absolute.filter { $0 >= 10 * log10(mean) - 20 }.sorted()
        func percentile(_ fraction: Double) -> Double {
            gated[Int((Double(gated.count - 1) * fraction).rounded())]
        }
        return percentile(0.95) - percentile(0.10)
    }

    @Test("Pruning does not miss a true peak")
    func pruningIsExact() {
        // Pruning skips quiet passages after loud ones.
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var signal = Signal(sampleRate: 44_100)
            for part in 0..<20 {
                signal = signal.noise(
                    peakDB: Double.random(in: -9...0, using: &generator), 0.013,
                    seed: seed &* 100 &+ UInt64(part))
            }
            let measured = MeteredSignal.measure([signal])
            #expect(abs(measured.truePeak - Self.exhaustiveTruePeak(signal)) <= 1e-5 * measured.truePeak)
        }
    }

    /// The interpolator of BS.1770 in double precision, applied to every sample.
    private static func exhaustiveTruePeak(_ signal: Signal) -> Double {
        let taps = (0..<49).map { j -> Double in
            let m = Double(j) - 24
            let sinc = m == 0 ? 1 : sin(m * .pi / 4) / (m * .pi / 4)
            return sinc * 0.5 * (1 - cos(2 * .pi * Double(j) / 48))
        }
        var peak = 0.0
        for n in 0..<signal.samples.count + 12 {
            for phase in 0..<4 {
                var sum = 0.0
                for (k, j) in stride(from: phase, to: 49, by: 4).enumerated() {
                    let at = n - k
                    if at >= 0, at < signal.samples.count { sum += taps[j] * Double(signal.samples[at]) }
                }
                peak = max(peak, abs(sum))
            }
        }
        return peak
    }

    @Test("A mono tone is 3 LU below the same tone in both channels")
    func monoIsOneChannel() throws {
        let tone = Signal(sampleRate: 44_100).sine(1000, peakDB: -20, 5)
        let mono = try #require(MeteredSignal.measure([tone]).integratedLUFS)
        let stereo = try #require(MeteredSignal.measure([tone, tone]).integratedLUFS)
        #expect(abs(stereo - mono - 10 * log10(2)) <= 0.001)
    }

    @Test("Digital silence has no loudness")
    func silence() {
        let measured = MeteredSignal.measure([Signal(sampleRate: 44_100).silence(5)])
        #expect(measured.integratedLUFS == nil)
        #expect(measured.maxMomentaryLUFS == nil)
        #expect(measured.truePeakDBTP == nil)
        #expect(measured.loudnessRangeLU == 0)
        #expect(AlbumLoudness(of: [measured]).integratedLUFS == nil)
    }

    @Test("Signals shorter than one block have no loudness", arguments: [0.0, 0.0001, 0.1, 0.39])
    func tooShort(seconds: Double) {
        let measured = MeteredSignal.measure([Signal(sampleRate: 44_100).sine(440, peakDB: -6, seconds)])
        #expect(measured.integratedLUFS == nil)
    }

    @Test("Album loudness equals that of the concatenated tracks")
    func album() throws {
        let tracks = (0..<5).map { index in
            programme(rate: 44_100, seconds: 20 + 7 * Double(index), seed: 50 + UInt64(index))
                .map { $0.shaped { _ in pow(10, -Double(index * 4) / 20) } }
        }
        let whole = (0..<2).map { channel in
            tracks.map { $0[channel] }.reduce(Signal(sampleRate: 44_100)) { $0.followed(by: $1) }
        }
        let pooled = AlbumLoudness(of: tracks.map { MeteredSignal.measure($0) })
        let concatenated = try MeteredSignal.reference(whole)
        let shortTerm = try tracks.flatMap { try MeteredSignal.referenceShortTerm($0) }
        #expect(
            abs(try #require(pooled.integratedLUFS) - (try #require(concatenated.integratedLUFS))) <= 0.02)
        #expect(abs(pooled.loudnessRangeLU - Self.range(of: shortTerm)) <= 0.1)
        #expect(abs(20 * log10(pooled.truePeak) - (try #require(concatenated.truePeakDBTP))) <= 0.01)
    }

    @Test("A histogram can be stored and parsed, and invalid data is rejected")
    func histogramRoundTrip() throws {
        let measured = MeteredSignal.measure(programme(rate: 44_100, seconds: 12, seed: 3))
        let bytes = measured.gatingBlocks.encoded
        #expect(EnergyHistogram(encoded: bytes) == measured.gatingBlocks)
        #expect(measured.gatingBlocks.blockCount > 50)
        #expect(EnergyHistogram(encoded: Array(bytes.dropLast())) == nil)
        #expect(EnergyHistogram(encoded: []) == nil)
        var damaged = bytes
        damaged[2] = 0xFF
        #expect(EnergyHistogram(encoded: damaged) == nil)
    }

    /// A full-scale sine of 997 Hz in both channels measures 0 LUFS (BS.1770-4), so its peak is as high as its loudness.
    @Test("PLR and PSR of sines are exact, and clicks raise the PSR of the 3 s that contain them only")
    func dynamics() throws {
        let plain = MeteredSignal.measure([tone(10), tone(10)])
        #expect(abs(try #require(plain.peakToLoudnessDB)) <= 0.02)
        #expect(abs(try #require(plain.minPSR)) <= 0.02)
        // In one channel the same sine has half the energy.
        let mono = MeteredSignal.measure([tone(10)])
        #expect(abs(try #require(mono.peakToLoudnessDB) - 3.01) <= 0.02)
        #expect(abs(try #require(mono.minPSR) - 3.01) <= 0.02)
        // A full-scale sample every second is 20 dB above the sine and adds next to nothing to its energy.
        let clicked = MeteredSignal.measure([clicks(tone(10)), tone(10)])
        #expect(try #require(clicked.minPSR) > 19)
        #expect(try #require(clicked.peakToLoudnessDB) > 19)
        let half = MeteredSignal.measure([clicks(tone(10)).followed(by: tone(10)), tone(20)])
        #expect(abs(try #require(half.minPSR)) <= 0.02)
    }

    @Test("Silence, and what is shorter than 3 s, has no PSR")
    func noDynamics() {
        let silence = MeteredSignal.measure([Signal(sampleRate: 48_000).silence(5)])
        #expect(silence.minPSR == nil && silence.peakToLoudnessDB == nil)
        #expect(MeteredSignal.measure([tone(2.9)]).minPSR == nil)
    }

    private func tone(_ seconds: Double) -> Signal {
        Signal(sampleRate: 48_000).sine(997, peakDB: -20, seconds)
    }

    private func clicks(_ signal: Signal) -> Signal {
        var signal = signal
        for index in stride(from: 24_000, to: signal.samples.count, by: 48_000) { signal.samples[index] = 1 }
        return signal
    }
}
