import Foundation
import TestSupport
import Testing

@testable import Analyzer
@testable import MusicalStructure

/// Keys of music composed in a known key.
@Suite struct KeyDetectorTests {
    struct Key: Sendable, CustomStringConvertible {
        let tonic: Int
        let mode: MusicalKey.Mode
        var description: String { MusicalKey(tonic: tonic, mode: mode, confidence: 1).name }
        static let all = MusicalKey.Mode.allCases.flatMap { mode in
            (0..<12).map { Key(tonic: $0, mode: mode) }
        }
    }

    private func detect(_ samples: [Float], rate: Double, blockSize: Int = 4096) -> MusicalKey? {
        detector(after: samples, rate: rate, blockSize: blockSize).finish()
    }

    private func detector(after samples: [Float], rate: Double, blockSize: Int = 4096) -> KeyDetector {
        let detector = KeyDetector(sampleRate: rate)
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: blockSize) {
                detector.consume(
                    UnsafeBufferPointer(rebasing: samples[start..<min(samples.count, start + blockSize)]))
            }
        }
        return detector
    }

    private func expect(_ key: Key, _ found: MusicalKey?) {
        #expect(
            found?.tonic == key.tonic && found?.mode == key.mode, "\(found?.name ?? "none") instead of \(key)"
        )
    }

    @Test(arguments: Key.all, [false, true])
    func cadencesTellTheirKeyInAnyTuning(_ key: Key, _ isDetuned: Bool) {
        let cents = isDetuned ? (key.tonic.isMultiple(of: 2) ? 40.0 : -40) : 0
        let music = SynthesizedMusic(sampleRate: 11_025, cents: cents)
        expect(key, detect(music.chords(tonic: key.tonic, mode: key.mode), rate: 11_025))
    }

    @Test(arguments: Key.all)
    func scalesTellTheirKey(_ key: Key) {
        let music = SynthesizedMusic(sampleRate: 11_025)
        expect(key, detect(music.scale(tonic: key.tonic, mode: key.mode), rate: 11_025))
    }

    @Test(arguments: Key.all)
    func drumsDoNotHideTheKey(_ key: Key) {
        let chords = SynthesizedMusic(sampleRate: 11_025).chords(tonic: key.tonic, mode: key.mode)
        let drums = SynthesizedMusic.drums(count: chords.count, sampleRate: 11_025, level: 0.25)
        expect(key, detect(zip(chords, drums).map { $0 + $1 }, rate: 11_025))
    }

    @Test(arguments: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000])
    func everySampleRateGivesTheSameKey(_ rate: Double) {
        let key = Key(tonic: 6, mode: .minor)
        let chords = SynthesizedMusic(sampleRate: rate).chords(tonic: key.tonic, mode: key.mode)
        for blockSize in [1152, 8191] { expect(key, detect(chords, rate: rate, blockSize: blockSize)) }
    }

    @Test(arguments: [-49.0, -30, -12.5, 0, 7, 24, 45])
    func tuningIsMeasuredInCents(_ cents: Double) throws {
        let music = SynthesizedMusic(sampleRate: 11_025, cents: cents)
        let found = try #require(detect(music.chords(tonic: 3, mode: .minor), rate: 11_025))
        let tuning = try #require(found.tuningCents)
        // Half a semitone up is also half a semitone down.
        let error = (tuning - cents).truncatingRemainder(dividingBy: 100)
        #expect(min(abs(error), 100 - abs(error)) <= 3, "\(tuning)")
        #expect((-50...50).contains(tuning))
    }

    /// Loops of natural minor, which share all their notes with the relative major.
    @Test(
        arguments: 0..<12,
        [
            [[0, 3, 7], [10, 14, 17], [8, 12, 15], [10, 14, 17]],
            [[0, 3, 7], [5, 8, 12], [7, 10, 14], [0, 3, 7]],
        ])
    func loopsInMinorAreNotTheirRelativeMajor(_ tonic: Int, _ loop: [[Int]]) {
        let music = SynthesizedMusic(sampleRate: 11_025)
        let samples = music.progression(tonic: tonic, loop + loop + loop + [[0, 3, 7], [0, 3, 7]])
        expect(Key(tonic: tonic, mode: .minor), detect(samples, rate: 11_025))
    }

    /// Sines of C4, E4 and G4, each of which also counts for its fourth: weights of 1.625 and 0.25.
    @Test("The statistics of a held chord are those of its notes")
    func statisticsOfAChord() throws {
        let rate = 11_025.0
        let samples = (0..<Int(20 * rate)).map { index in
            [60, 64, 67].reduce(Float(0)) { sum, note in
                let hertz = 440 * pow(2, Double(note - 69) / 12)
                return sum + 0.2 * Float(sin(2 * .pi * hertz * Double(index) / rate))
            }
        }
        let values = try #require(detector(after: samples, rate: rate).statistics)
        #expect(values.count == KeyDetector.statisticCount)
        // C, E and G, their fourths F, A and C.
        var shares = [Double](repeating: 0, count: 12)
        for note in [0, 4, 7] {
            shares[note] += 1.625 / (3 * 1.875)
            shares[(note + 5) % 12] += 0.25 / (3 * 1.875)
        }
        for pitch in 0..<12 {
            #expect(abs(Double(values[pitch] * values[pitch]) - shares[pitch]) < 0.01, "\(pitch)")
        }
        // The bass is the lowest note, and the chord is C major. Other triads share two of its notes.
        #expect((0..<12).max { values[12 + $0] < values[12 + $1] } == 0)
        #expect((0..<12).max { values[24 + $0] < values[24 + $1] } == 0)
        let major = values[24..<36].reduce(0) { $0 + $1 * $1 }
        let minor = values[36..<48].reduce(0) { $0 + $1 * $1 }
        #expect(abs(major + minor - 1) < 1e-4 && values[24] * values[24] > 0.5)
        let entropy = -shares.filter { $0 > 0 }.reduce(0) { $0 + $1 * log($1) }
        // Frames are stored in 255 steps.
        #expect(values[55] < 0.02 && abs(Double(values[56]) - entropy) < 0.02)
    }

    @Test("Transposed music has other pitch classes, and the same statistics that do not depend on the key")
    func transposed() throws {
        let music = SynthesizedMusic(sampleRate: 11_025)
        let one = try #require(
            detector(after: music.chords(tonic: 0, mode: .major), rate: 11_025).statistics)
        let other = try #require(
            detector(after: music.chords(tonic: 2, mode: .major), rate: 11_025).statistics)
        for pitch in 0..<12 { #expect(abs(one[pitch] - other[(pitch + 2) % 12]) < 0.05) }
        #expect((0..<12).contains { abs(one[$0] - other[$0]) > 0.2 })
        for index in 48..<57 { #expect(abs(one[index] - other[index]) < 0.05, "\(index)") }
    }

    @Test func silenceHasNoStatistics() {
        #expect(detector(after: [Float](repeating: 0, count: 200_000), rate: 44_100).statistics == nil)
        #expect(detector(after: [], rate: 44_100).statistics == nil)
    }

    @Test func silenceHasNoKey() {
        #expect(detect([Float](repeating: 0, count: 200_000), rate: 44_100) == nil)
        #expect(detect([], rate: 44_100) == nil)
    }

    @Test(arguments: 1...6)
    func noiseHasNoKey(_ seed: UInt64) {
        let noise = Signal(sampleRate: 22_050).noise(peakDB: -6, 20, seed: seed).samples
        let found = detect(noise, rate: 22_050)
        #expect(
            found == nil,
            "\(found.map { "\($0.name) \($0.confidence)" } ?? "")")
    }

    @Test func drumsAloneHaveNoKey() {
        let found = detect(
            SynthesizedMusic.drums(count: 300_000, sampleRate: 22_050, level: 0.3), rate: 22_050)
        #expect(
            found == nil || (found?.confidence ?? 0) < 0.3,
            "\(found.map { "\($0.name) \($0.confidence)" } ?? "")")
    }

    @Test func keysAreNamed() {
        #expect(MusicalKey(tonic: 6, mode: .minor, confidence: 1).name == "F# minor")
        #expect(MusicalKey(tonic: 6, mode: .minor, confidence: 1).camelot == "11A")
        #expect(MusicalKey(tonic: 0, mode: .major, confidence: 1).camelot == "8B")
        #expect(MusicalKey(tonic: 9, mode: .minor, confidence: 1).camelot == "8A")
        #expect(MusicalKey(tonic: 7, mode: .major, confidence: 1).camelot == "9B")
    }

    /// Tones that would alias onto the pitches of interest are removed.
    @Test(arguments: [(44_100.0, 4), (48_000, 4), (32_000, 3), (11_025, 2)])
    func decimationKeepsThePassbandAndStopsAliases(_ rate: Double, _ factor: Int) {
        func gain(_ hertz: Double) -> Double {
            let decimator = Decimator(factor: factor, passband: 2100 / rate)
            let tone = Signal(sampleRate: rate).sine(hertz, peakDB: 0, 0.5).samples
            var energy = 0.0
            var position = 0
            tone.withUnsafeBufferPointer { tone in
                decimator.process(tone) { block in
                    for sample in block {
                        position += 1
                        if position > 200 { energy += Double(sample * sample) }
                    }
                }
            }
            #expect(abs(position - tone.count / factor) < 60)
            return 10 * log10(2 * energy / Double(position - 200))
        }
        for hertz in [61.0, 440, 1000, 2000] { #expect(abs(gain(hertz)) < 0.2) }
        for offset in [-2000.0, -1000, 300, 1500] {
            let alias = rate / Double(factor) + offset
            if alias < rate / 2 { #expect(gain(alias) < -57) }
        }
    }
}
