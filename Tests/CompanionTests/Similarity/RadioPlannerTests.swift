import Analyzer
import Foundation
import LibraryStore
import MusicShared
import Testing

@testable import Companion

/// Radios of made-up libraries.
@Suite("Radio") struct RadioPlannerTests {
    private func play(
        _ planner: RadioPlanner, _ count: Int, page: Int = 20, seed: UInt64 = 1
    ) -> [Int] {
        var played: [Int] = []
        while played.count < count {
            let next = planner.next(
                min(page, count - played.count), after: Array(played.suffix(RadioPlanner.memory)),
                position: played.count, seed: seed)
            guard !next.isEmpty else { break }
            played += next
        }
        return played
    }

    @Test("No artist occurs twice in a row, and no track again within the memory", arguments: [1, 2, 3])
    func varied(_ seed: UInt64) {
        let library = MadeUpSounds.library(300, artists: 12, seed: seed)
        let played = play(RadioPlanner(library, seeds: [7]), 400, seed: seed)
        #expect(played.count == 400 && played[0] == 7)
        for (one, next) in zip(played, played.dropFirst()) { #expect(one % 12 != next % 12) }
        for place in played.indices {
            #expect(!played[..<place].suffix(RadioPlanner.memory).contains(played[place]))
        }
    }

    @Test("A radio does not depend on how it is requested, and differs by seed")
    func pages() {
        let library = MadeUpSounds.library(200, artists: 9)
        let planner = RadioPlanner(library, seeds: [3, 4, 5])
        let whole = play(planner, 60, page: 60)
        #expect(play(planner, 60, page: 7) == whole)
        #expect(play(planner, 60, page: 60, seed: 2) != whole)
    }

    @Test("Radios stay with the sound of their seed")
    func closeness() {
        // Two groups of sound, far from each other.
        let tracks = (1...200).map { id in
            MadeUpSounds.track(
                id, artist: id % 20, MadeUpSounds.descriptor(id <= 100 ? 0 : 20, Float(id % 37) / 10))
        }
        let played = play(RadioPlanner(SoundLibrary(tracks), seeds: [150]), 40)
        #expect(played.allSatisfy { $0 > 100 })
    }

    @Test("What was heard recently is avoided while there is something else")
    func recent() {
        let library = MadeUpSounds.library(120, artists: 10)
        let recent = Array(1...60)
        let played = play(RadioPlanner(library, seeds: [100], recent: recent), 30)
        #expect(played.allSatisfy { $0 > 60 })
        let all = RadioPlanner(library, seeds: [100], recent: Array(1...120))
        #expect(play(all, 30).count == 30)
    }

    @Test("Small libraries and libraries of one artist play endlessly", arguments: [1, 2, 3, 10])
    func small(_ count: Int) {
        for artists in [1, count] {
            let played = play(RadioPlanner(MadeUpSounds.library(count, artists: artists), seeds: [1]), 50)
            #expect(played.count == 50)
            if count > 1 { #expect(zip(played, played.dropFirst()).allSatisfy { $0 != $1 }) }
        }
    }

    @Test("An artist follows itself only if there is no other")
    func oneOther() {
        // Nineteen tracks of one artist, one of another: they alternate, although the one must repeat.
        let tracks = (1...20).map {
            MadeUpSounds.track($0, artist: $0 == 20 ? 2 : 1, MadeUpSounds.descriptor(Float($0) / 10))
        }
        let played = play(RadioPlanner(SoundLibrary(tracks), seeds: [1]), 40)
        for (one, next) in zip(played, played.dropFirst()) { #expect((one == 20) != (next == 20)) }
    }

    @Test("The key at the end of a track meets that at the start of the next")
    func keyChange() {
        // All sound alike; the seed changes its key from 8A to 2A.
        let tracks = (1...21).map { id in
            MadeUpSounds.track(
                id, artist: id, key: id == 1 || id % 2 == 0 ? "8A" : "2A", endKey: id == 1 ? "2A" : nil,
                MadeUpSounds.descriptor(0))
        }
        let planner = RadioPlanner(SoundLibrary(tracks), seeds: [1])
        let second = (1...300 as ClosedRange<UInt64>).map { play(planner, 2, seed: $0)[1] }
        let matching = second.count { $0 % 2 == 1 }
        // The scores differ by a third of 1.5, twice the scale of the chance, so the odds are e to 1.
        let expected = 300 / (1 + exp(-1.0))
        #expect(abs(Double(matching) - expected) < 3 * (expected / (1 + exp(1.0))).squareRoot())
    }

    @Test("Copies of a track are not played after it")
    func copies() {
        let tracks = (1...40).map {
            MadeUpSounds.track($0, audio: ($0 + 1) / 2, MadeUpSounds.descriptor(Float(($0 + 1) / 2)))
        }
        let played = play(RadioPlanner(SoundLibrary(tracks), seeds: [11]), 15)
        #expect(Set(played.map { ($0 + 1) / 2 }).count == 15)
    }

    @Test("Tracks beyond many that were heard recently are found", arguments: [50, 250, 400])
    func manyRecent(_ count: Int) {
        let tracks = (1...500).map {
            MadeUpSounds.track($0, artist: $0, MadeUpSounds.descriptor(Float($0) / 100))
        }
        let planner = RadioPlanner(SoundLibrary(tracks), seeds: [1], recent: Array(2...count))
        let played = planner.next(20, after: [], position: 0, seed: 4)
        #expect(played.first == 1 && Set(played).count == 20)
        // The pool has 50 tracks, and up to 20 of them have been played.
        #expect(played.dropFirst().allSatisfy { count < $0 && $0 <= count + 70 })
    }

    @Test("A radio of several seeds plays tracks near each of them")
    func severalSeeds() {
        let tracks = (1...300).map {
            MadeUpSounds.track(
                $0, artist: $0, MadeUpSounds.descriptor(Float(($0 - 1) / 100) * 10, Float($0) / 500))
        }
        let planner = RadioPlanner(SoundLibrary(tracks), seeds: [50, 150, 250])
        let groups = planner.next(60, after: [], position: 0, seed: 9).map { ($0 - 1) / 100 }
        #expect((0..<3).allSatisfy { group in groups.count { $0 == group } >= 8 })
    }

    @Test("Seeds that are unknown yield nothing")
    func unknown() {
        let library = MadeUpSounds.library(5, artists: 2)
        #expect(RadioPlanner(library, seeds: [99]).next(5, after: [], position: 0, seed: 1).isEmpty)
    }

    private func next(_ key: String?, _ bpm: Double?, _ loudness: Double?) -> SoundingTrack {
        MadeUpSounds.track(1, bpm: bpm, key: key, loudness: loudness, MadeUpSounds.descriptor(0)).track
    }

    @Test("Transitions score key, tempo and level by a third each")
    func transitions() {
        let from = next("8A", 120, -10)
        func score(_ key: String?, _ bpm: Double?, _ loudness: Double?) -> Double {
            (TransitionScore(from.mixable, next(key, bpm, loudness).mixable).mean * 3000).rounded() / 1000
        }
        #expect(score("8A", 120, -10) == 3)
        #expect(score("8B", 240, -11) == 3)
        #expect(score("9A", 60, -12) == 2.9)
        #expect(score("2A", 120, -10) == 2)
        #expect(score("8A", 170, -10) == 2)
        #expect(score("8A", 120, -22) == 2)
        #expect(score("8A", 120, -5) == 2.7)
        #expect(score(nil, nil, nil) == 1.5)
    }

    @Test("Better transitions are played more often")
    func transitionsCount() {
        // All equally similar; half of them in the key, at the tempo and level of the seed.
        let tracks = (1...60).map { id in
            MadeUpSounds.track(
                id, artist: id, bpm: id <= 30 ? 120 : 160, key: id <= 30 ? "8A" : "2B",
                loudness: id <= 30 ? -10 : -25,
                MadeUpSounds.descriptor(0))
        }
        let library = SoundLibrary(tracks)
        let seconds = (1...100).map { seed in
            RadioPlanner(library, seeds: [1]).next(2, after: [], position: 0, seed: UInt64(seed))[1]
        }
        #expect(seconds.count { $0 <= 30 } > 85)
    }
}
