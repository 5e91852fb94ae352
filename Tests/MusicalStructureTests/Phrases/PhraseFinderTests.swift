import Foundation
import Testing

@testable import Analyzer
@testable import MusicalStructure

@Suite("Phrases")
struct PhraseFinderTests {
    private static let tonic = [261.6, 329.6, 392.0]
    private static let fourth = [349.2, 440.0, 523.3]
    private static let sixth = [220.0, 261.6, 329.6]
    private static let verse = SectionedSignal.Section(length: 8, chords: [tonic, fourth], level: 0.5)
    private static let chorus = SectionedSignal.Section(
        length: 8, chords: [sixth, fourth, tonic, tonic], hasHat: true, bass: 110)

    /// Tempo in BPM, beats per bar, and lengths of the sections in bars.
    struct Song: CustomTestStringConvertible {
        let bpm: Double
        let beatsPerBar: Int
        let lengths: [Int]
        var testDescription: String { "\(bpm) BPM, \(beatsPerBar) beats, \(lengths)" }
    }

    @Test(
        "The starts of sections are found to half a beat",
        arguments: [
            Song(bpm: 120, beatsPerBar: 4, lengths: [8, 8, 8, 8]),
            Song(bpm: 96, beatsPerBar: 4, lengths: [4, 8, 16, 8]),
            Song(bpm: 124, beatsPerBar: 4, lengths: [4, 8, 16, 8]),
            Song(bpm: 130, beatsPerBar: 2, lengths: [16, 16, 16, 8]),
            Song(bpm: 140, beatsPerBar: 4, lengths: [16, 16, 8, 8]),
            Song(bpm: 110, beatsPerBar: 3, lengths: [8, 8, 8, 8, 8]),
            Song(bpm: 105, beatsPerBar: 2, lengths: [16, 16, 16, 8]),
            Song(bpm: 150, beatsPerBar: 6, lengths: [8, 8, 8]),
        ])
    func sections(_ song: Song) throws {
        let made = SectionedSignal(
            bpm: song.bpm, beatsPerBar: song.beatsPerBar,
            sections: song.lengths.enumerated().map { index, length in
                var section = index % 2 == 0 ? Self.verse : Self.chorus
                section.length = length
                return section
            })
        let answer = try #require(
            TempoEstimator.estimate(made.signal.envelope(), chroma: made.chroma()))
        #expect(abs(answer.tempo.bpm / song.bpm - 1) < 0.01)
        let likely = try #require(answer.phrases).filter { $0.confidence >= 0.5 }.map(\.seconds)
        #expect(likely.count == made.boundaries.count)
        for (found, true_) in zip(likely, made.boundaries) {
            #expect(abs(found - true_) < 0.5 * 60 / song.bpm, "\(found) instead of \(true_)")
        }
    }

    @Test("Boundaries are downbeats")
    func downbeats() throws {
        let made = SectionedSignal(
            bpm: 120, beatsPerBar: 4, sections: [Self.verse, Self.chorus, Self.verse], firstBeat: 1.3)
        let answer = try #require(
            TempoEstimator.estimate(made.signal.envelope(), chroma: made.chroma()))
        let phrases = try #require(answer.phrases)
        #expect(!phrases.isEmpty)
        for phrase in phrases { #expect(answer.tempo.downbeatSeconds.contains(phrase.seconds)) }
    }

    @Test("A song of one section has no likely boundary", arguments: [90.0, 120, 150])
    func oneSection(bpm: Double) throws {
        var section = Self.chorus
        section.length = 40
        let made = SectionedSignal(bpm: bpm, beatsPerBar: 4, sections: [section])
        let answer = try #require(
            TempoEstimator.estimate(made.signal.envelope(), chroma: made.chroma()))
        #expect(try #require(answer.phrases).allSatisfy { $0.confidence < 0.5 })
    }

    @Test("Less than eight bars have no phrases")
    func short() throws {
        var section = Self.chorus
        section.length = 6
        let made = SectionedSignal(bpm: 120, beatsPerBar: 4, sections: [section])
        let answer = try #require(
            TempoEstimator.estimate(made.signal.envelope(), chroma: made.chroma()))
        #expect(answer.phrases == nil)
    }

    @Test("The difference of means is the checkerboard kernel over inner products")
    func checkerboard() {
        var random = SplitMix64(state: 3)
        let beats = (0..<16).map { _ in (0..<BeatSound.valueCount).map { _ in random.nextFloat() } }
        let sound = BeatSound(values: beats.flatMap { $0 })
        let group = BeatSound.groups[4]
        var correlation: Float = 0
        for i in 0..<16 {
            for k in 0..<16 {
                let product = group.reduce(Float(0)) { $0 + beats[i][$1] * beats[k][$1] }
                correlation += (i < 8) == (k < 8) ? product : -product
            }
        }
        let expected = (correlation / 64 / Float(group.count)).squareRoot()
        #expect(abs(sound.difference(at: 8, before: 8, after: 8)[4] - expected) < 1e-4)
    }

    @Test("Probabilities are those of a sum over all divisions")
    func enumeration() {
        let scores = [0, -1.5, 0.3, 2.1, -0.7, 1.0, -2.0, 0.4, 3.0, -1.0, 0.2]
        let segments = PhraseSegments(scores: scores)
        // Lengths between 3 and 63 that are odd, even, or multiples of four or eight; parts of phrases at both ends.
        func weight(_ start: Int, _ end: Int) -> Double {
            let length = end - start
            if start == 0 || end == scores.count { return length >= 2 ? 0 : -2 }
            return length < 3
                ? -4 : length % 8 == 0 ? 1 : length % 4 == 0 ? 0.7 : length % 2 == 0 ? -0.5 : -1.5
        }
        var total = 0.0
        var shares = [Double](repeating: 0, count: scores.count)
        for division in 0..<(1 << (scores.count - 1)) {
            let starts = [0] + (1..<scores.count).filter { division >> ($0 - 1) & 1 == 1 }
            let sum = zip(starts, starts.dropFirst() + [scores.count]).reduce(0.0) {
                $0 + weight($1.0, $1.1) + ($1.0 > 0 ? scores[$1.0] : 0)
            }
            total += exp(sum)
            for start in starts { shares[start] += exp(sum) }
        }
        #expect(abs(segments.logTotal - log(total)) < 1e-9)
        for (probability, share) in zip(segments.probabilities, shares) {
            #expect(abs(probability - share / total) < 1e-9)
        }
    }

    @Test("Stored phrases are read as written, to a millisecond; damaged bytes are nil")
    func coding() {
        let phrases = [
            PhraseBoundary(seconds: 0.001, confidence: 0), PhraseBoundary(seconds: 86_400.5, confidence: 1),
        ]
        #expect(PhraseCoding.decode(PhraseCoding.encode(phrases)) == phrases)
        #expect(PhraseCoding.encode([]) == [1])
        #expect(PhraseCoding.decode([1]) == [])
        for damaged in [[], [2], [1, 0], [1, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(PhraseCoding.decode(damaged) == nil)
        }
    }
}
