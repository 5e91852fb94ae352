import Foundation
import TestSupport
import Testing

@testable import Analyzer
@testable import MusicalStructure

/// Keys within music that is composed to change its key, or not to.
@Suite struct KeySectionTests {
    private static let rate = 11_025.0

    /// A progression in a known key: how often its cadence of ten seconds is played.
    struct Part: Sendable {
        let tonic: Int
        let mode: MusicalKey.Mode
        var count = 4
        var seconds: Double { Double(10 * count) }
    }

    private func curve(_ samples: [Float], rate: Double = rate) -> ChromaCurve {
        let detector = KeyDetector(sampleRate: rate)
        samples.withUnsafeBufferPointer { detector.consume($0) }
        return detector.chroma
    }

    private func sections(_ parts: [Part], cents: Double = 0) -> [KeySection] {
        let music = SynthesizedMusic(sampleRate: Self.rate, cents: cents)
        let samples = parts.flatMap { part in
            (0..<part.count).flatMap { _ in music.chords(tonic: part.tonic, mode: part.mode) }
        }
        return KeySectionModel.trained.sections(of: curve(samples))
    }

    @Test(
        "Each change of key is found at its time",
        arguments: [
            [Part(tonic: 0, mode: .major), Part(tonic: 3, mode: .major)],
            [Part(tonic: 7, mode: .major), Part(tonic: 8, mode: .major)],
            [Part(tonic: 10, mode: .major), Part(tonic: 0, mode: .major)],
            [Part(tonic: 2, mode: .minor), Part(tonic: 2, mode: .major)],
            [Part(tonic: 4, mode: .minor), Part(tonic: 9, mode: .minor, count: 6)],
            [Part(tonic: 0, mode: .major), Part(tonic: 3, mode: .major), Part(tonic: 0, mode: .major)],
            [Part(tonic: 5, mode: .minor), Part(tonic: 6, mode: .minor), Part(tonic: 7, mode: .minor)],
        ], [0.0, 25])
    func changes(_ parts: [Part], _ cents: Double) {
        let found = sections(parts, cents: cents)
        let starts = parts.indices.map { parts[..<$0].reduce(0) { $0 + $1.seconds } }
        #expect(found.map(\.key.tonic) == parts.map(\.tonic))
        #expect(found.map(\.key.mode) == parts.map(\.mode))
        #expect(found.first?.seconds == 0)
        for (section, start) in zip(found, starts) {
            // A chord lasts a second, a step of the model too.
            #expect(abs(section.seconds - start) <= 2, "\(section.seconds) instead of \(start)")
            #expect((0.5...1).contains(section.key.confidence))
        }
    }

    @Test("Music in one key has no changes", arguments: KeyDetectorTests.Key.all)
    func noChanges(_ key: KeyDetectorTests.Key) {
        #expect(sections([Part(tonic: key.tonic, mode: key.mode, count: 12)]) == [])
    }

    @Test("A passing chord of another key is no change")
    func passingChord() {
        let music = SynthesizedMusic(sampleRate: Self.rate)
        let cadence = SynthesizedMusic.cadence(.major)
        // The dominant of the dominant, and the borrowed triad of the flat sixth.
        let passing = [[2, 6, 9], [7, 11, 14], [8, 12, 15], [0, 4, 7]]
        let triads = (0..<6).flatMap { _ in cadence + cadence + passing }
        #expect(KeySectionModel.trained.sections(of: curve(music.progression(tonic: 4, triads))) == [])
    }

    @Test("Silence, noise and drums have no changes")
    func withoutKeys() {
        let model = KeySectionModel.trained
        #expect(model.sections(of: curve([])) == [])
        #expect(model.sections(of: curve([Float](repeating: 0, count: 600_000))) == [])
        let noise = Signal(sampleRate: Self.rate).noise(peakDB: -6, 60, seed: 3).samples
        #expect(model.sections(of: curve(noise)) == [])
        #expect(
            model.sections(
                of: curve(SynthesizedMusic.drums(count: 600_000, sampleRate: Self.rate, level: 0.3))) == [])
    }

    /// The likeliest of all paths, by trying every one: 24 keys, three steps.
    @Test(
        "The path is the likeliest of all possible ones", arguments: 0..<8)
    func likeliestPath(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let cost = Float.random(in: 0.2...2, using: &random)
        let scores = (0..<3 * 24).map { _ in Float.random(in: -1...1, using: &random) }
        let model = KeySectionModel(
            weights: KeyWeights(major: [], minor: [], minorOffset: 0), changeCost: cost, confidenceSlope: 0,
            confidenceOffset: 0)
        func score(_ keys: [Int]) -> Float {
            let changes = zip(keys, keys.dropFirst()).filter { $0 != $1 }.count
            return keys.indices.reduce(-cost * Float(changes)) { $0 + scores[24 * $1 + keys[$1]] }
        }
        var best: [Int] = []
        for number in 0..<24 * 24 * 24 {
            let keys = [number / 576, number / 24 % 24, number % 24]
            if best.isEmpty || score(keys) > score(best) { best = keys }
        }
        #expect(model.path(scores).map(Int.init) == best)
    }

    @Test("Stored keys are read as written, to a millisecond; damaged bytes are nil")
    func coding() {
        let sections = [
            KeySection(seconds: 0, key: MusicalKey(tonic: 0, mode: .major, confidence: 1)),
            KeySection(seconds: 86_400.5, key: MusicalKey(tonic: 11, mode: .minor, confidence: 0)),
        ]
        #expect(KeySectionCoding.decode(KeySectionCoding.encode(sections)) == sections)
        #expect(KeySectionCoding.encode([]) == [1])
        #expect(KeySectionCoding.decode([1]) == [])
        for damaged in [[], [2], [1, 0], [1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 24, 0]] as [[UInt8]] {
            #expect(KeySectionCoding.decode(damaged) == nil)
        }
    }
}
