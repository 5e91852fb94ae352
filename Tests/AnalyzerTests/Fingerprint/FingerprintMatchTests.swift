import Foundation
import Testing
import TestSupport

@testable import Analyzer

@Suite("Comparison of fingerprints")
struct FingerprintMatchTests {
    /// A tune that can be played in several ways.
    private struct Performance {
        var tempo = 1.0
        var harmonics = 4
        var drums = false
        var transposition = 0.0
        /// Moves each note by up to this much, in seconds.
        var rubato = 0.0
        var take: UInt64 = 0
    }

    private static let rate = 22_050
    private static let seconds = 45.0

    /// Plays the tune of a seed.
    private static func play(_ seed: UInt64, _ performance: Performance = Performance()) -> PCM {
        var tune = SeededGenerator(seed: seed)
        var touch = SeededGenerator(seed: 1000 + performance.take)
        var sound = [Double](repeating: 0, count: Int(seconds * Double(rate)))
        var time = 0.0
        while time < seconds * 1.2 {
            let pitch = Double(Int.random(in: 45...80, using: &tune)) + performance.transposition
            let lengths: [Double] = [0.25, 0.5, 0.5, 1]
            let length: Double = lengths.randomElement(using: &tune) ?? 0.5
            let hertz = 440 * exp2((pitch - 69) / 12)
            let start =
                time / performance.tempo + performance.rubato * Double.random(in: -1...1, using: &touch)
            add(to: &sound, hertz, performance.harmonics, start, length / performance.tempo)
            if performance.drums { addNoise(to: &sound, start, &touch) }
            time += length
        }
        let peak = sound.map(abs).max() ?? 1
        return PCM(sampleRate: rate, channelCount: 1, samples: sound.map { Int16($0 / peak * 30_000) })
    }

    private static func add(
        to sound: inout [Double], _ hertz: Double, _ harmonics: Int, _ start: Double, _ length: Double
    ) {
        let first = max(0, Int(start * Double(rate)))
        let end = min(sound.count, Int((start + length) * Double(rate)))
        guard first < end else { return }
        for i in first..<end {
            let t = Double(i - first) / Double(rate)
            var value = 0.0
            for n in 1...harmonics { value += sin(2 * .pi * hertz * Double(n) * t) / Double(n) }
            // Soft attacks and ends, as instruments have them.
            let left = Double(end - i) / Double(rate)
            sound[i] += value * exp(-3 * t) * min(1, t / 0.02, left / 0.05)
        }
    }

    private static func addNoise(to sound: inout [Double], _ start: Double, _ random: inout SeededGenerator) {
        let first = max(0, Int(start * Double(rate)))
        for i in first..<max(first, min(sound.count, first + rate / 8)) {
            sound[i] += Double.random(in: -1...1, using: &random) * exp(-Double(i - first) / 400)
        }
    }

    /// A recording as the library knows it.
    private struct Measured {
        let fingerprint: AudioFingerprint
        let spectra: VisualizerSpectra

        init(_ pcm: PCM, _ options: [String] = ["-b", "128"]) throws {
            let folder = try TemporaryDirectory()
            try Data(try Encoders.lame(pcm, options)).write(to: folder.url.appending(path: "a.mp3"))
            let file = try MappedFile(path: Array(folder.file("a.mp3").utf8))
            guard case .analyzed(let analysis, _) = try TrackAnalyzer().analyze(file) else {
                throw AnalyzerError(.cancelled, "not analysed")
            }
            fingerprint = try #require(analysis.profile?.fingerprint)
            spectra = try #require(analysis.frames).inMemory()
        }

        func likeness(to other: Measured) -> FingerprintMatch.Likeness {
            guard let match = fingerprint.match(other.fingerprint),
                let difference = SpectraDifference.between(
                    spectra, other.spectra, offset: match.offsetSeconds)
            else { return .different }
            return match.likeness(spectra: difference)
        }
    }

    @Test("Encodings of a recording are recognised", arguments: 1...6 as ClosedRange<UInt64>)
    func encodings(seed: UInt64) throws {
        let pcm = Self.play(seed, Performance(drums: seed.isMultiple(of: 2)))
        let original = try Measured(pcm, ["-b", "160"])
        for options in [["-b", "64"], ["-V", "4"]] {
            let copy = try Measured(pcm, options)
            #expect(
                original.likeness(to: copy) == .same && copy.likeness(to: original) == .same, "\(options)")
        }
        // These differ at the starts of notes by as much as other mixes do.
        for options in [["-V", "9"], ["--scale", "0.3"]] {
            let copy = try Measured(pcm, options)
            #expect(
                original.likeness(to: copy) != .different && copy.likeness(to: original) != .different,
                "\(options)")
        }
    }

    @Test("So is one without some seconds at either end", arguments: [0.7, 2.03, 5])
    func trims(seconds: Double) throws {
        for seed in 11...13 as ClosedRange<UInt64> {
            let pcm = Self.play(seed, Performance(drums: seed == 12))
            let original = try Measured(pcm)
            var (start, end) = (pcm, pcm)
            start.samples.removeFirst(Int(seconds * Double(Self.rate)))
            end.samples.removeLast(Int(seconds * Double(Self.rate)))
            for (trimmed, words) in [(start, seconds / AudioFingerprint.secondsPerWord), (end, 0)] {
                let copy = try Measured(trimmed, ["-b", "64", "--resample", "22.05"])
                let match = try #require(original.fingerprint.match(copy.fingerprint))
                #expect(abs(Double(match.offset) - words) <= 1, "\(match)")
                #expect(
                    original.likeness(to: copy) != .different && copy.likeness(to: original) != .different,
                    "\(match)")
            }
        }
    }

    @Test(
        "Other takes, tempi, keys, instruments and tunes are not the same",
        arguments: 21...26 as ClosedRange<UInt64>)
    func others(seed: UInt64) throws {
        let original = try Measured(Self.play(seed))
        let others = [
            Performance(tempo: 1.02), Performance(tempo: 0.98), Performance(tempo: 1.1),
            Performance(transposition: 1), Performance(transposition: -0.5),
            Performance(rubato: 0.06, take: 2),
            Performance(harmonics: 12), Performance(harmonics: 12, rubato: 0.03, take: 3),
        ]
        for other in others {
            #expect(original.likeness(to: try Measured(Self.play(seed, other))) == .different, "\(other)")
        }
        let tune = original.fingerprint.match(try Measured(Self.play(seed + 100)).fingerprint)
        #expect(tune?.hasSameNotes != true && (tune?.difference ?? 1) > 0.3, "\(tune as Any)")
    }

    @Test("An edit that replaces ten seconds is not the same")
    func edit() throws {
        var pcm = Self.play(31)
        let original = try Measured(pcm)
        let other = Self.play(32)
        let range = 15 * Self.rate..<25 * Self.rate
        pcm.samples.replaceSubrange(range, with: other.samples[range])
        #expect(original.likeness(to: try Measured(pcm)) == .different)
    }

    /// A bass drum that is below most bands, and in few frames.
    @Test(
        "A recording with a soft beat added is never certainly the same",
        arguments: 41...44 as ClosedRange<UInt64>)
    func softBeat(seed: UInt64) throws {
        let plain = Self.play(seed, Performance(harmonics: 8, drums: true))
        let original = try Measured(plain)
        #expect(original.likeness(to: try Measured(plain, ["-b", "96"])) == .same)
        for level in [250.0, 350, 420] {
            var pcm = plain
            for i in pcm.samples.indices {
                let t = Double(i) / Double(Self.rate)
                let beat = level * sin(2 * .pi * 60 * t) * exp(-30 * t.truncatingRemainder(dividingBy: 0.5))
                pcm.samples[i] = Int16(clamping: Int(Double(pcm.samples[i]) + beat))
            }
            let other = try Measured(pcm)
            #expect(
                original.likeness(to: other) != .same && other.likeness(to: original) != .same, "\(level)")
        }
    }

    @Test("What is only added differs in one direction; what changes up and down does not")
    func direction() throws {
        let (width, count) = (64, 600)
        let plain = VisualizerSpectra(
            bandCount: width, levels: [UInt8](repeating: 180, count: width * count))
        // In three of twenty frames, since neighbours are no difference, and the first eight bands: 8 steps of 90/255 dB.
        var (added, moved) = (plain, plain)
        for frame in stride(from: 5, to: count, by: 20).flatMap({ $0..<$0 + 3 }) {
            for band in 0..<8 {
                added.levels[frame * width + band] += 8
                moved.levels[frame * width + band] += 8
                moved.levels[(frame + 10) * width + band] -= 8
            }
        }
        let step = 90.0 / 255
        for (first, second) in [(plain, added), (added, plain)] {
            let difference = try #require(SpectraDifference.between(first, second, offset: 0))
            #expect(abs(difference.oneSided - 8 * step) < 1e-9, "\(difference)")
        }
        let difference = try #require(SpectraDifference.between(moved, plain, offset: 0))
        #expect(abs(difference.oneSided) < 1e-9 && difference.highest > 2, "\(difference)")
    }

    @Test("Too short fingerprints are not compared")
    func short() {
        let words = [UInt32](repeating: 5, count: 7)
        #expect(AudioFingerprint(words: words).match(AudioFingerprint(words: words)) == nil)
        #expect(AudioFingerprint(words: []).match(AudioFingerprint(words: [])) == nil)
        let few = AudioFingerprint(words: [UInt32](repeating: 5, count: 20))
        #expect(few.match(few)?.hasSameNotes == false)
    }
}
