import Analyzer
import LibraryStore
import Testing
import TestSupport

@testable import Companion

/// Maps of made-up libraries.
@Suite("Map of a library") struct LibraryMapTests {
    /// Three groups of sound, far from each other, in turn.
    private static func groups(_ count: Int) -> SoundLibrary {
        var random = SeededGenerator(seed: 5)
        return SoundLibrary(
            (0..<count).map { number in
                var values: [Float] = []
                for _ in 0..<SonicDescriptor.dimension {
                    values.append(Float.random(in: -1...1, using: &random))
                }
                values[number % 3] += 12
                return MadeUpSounds.track(
                    number + 1, SonicDescriptor(rounding: values) ?? MadeUpSounds.descriptor(0))
            })
    }

    @Test(
        "Tracks lie near those of their group, also in libraries larger than the sample",
        arguments: [90, 4000])
    func groups(_ count: Int) {
        let map = LibraryMap(Self.groups(count)) { _ in [:] }
        #expect(map.trackIDs == Array(1...count) && map.places.count == count)
        #expect(map.places.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
        func distance(_ one: Int, _ other: Int) -> Float {
            let (a, b) = (map.places[one], map.places[other])
            return ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
        }
        var right = 0
        let asked = stride(from: 0, to: count, by: max(1, count / 90))
        for row in asked {
            let nearest = (0..<count).filter { $0 != row }.min { distance(row, $0) < distance(row, $1) }
            if let nearest, nearest % 3 == row % 3 { right += 1 }
        }
        #expect(Double(right) > 0.97 * Double(Array(asked).count))
        // The map is used: no heap in the middle.
        #expect(Set(map.places.map { Int($0.x * 10) * 11 + Int($0.y * 10) }).count >= 12)
    }

    @Test("Groups are genres, or artists of tracks without one, the largest first and equal ones by name")
    func groupNumbers() {
        let tracks: [(genre: String?, artist: Int?)] = [
            (nil, 7), ("Rock", 1), ("jazz", 2), (nil, nil), ("rock", 7), ("Jazz", 2), ("ROCK", nil), ("", 8),
            (nil, 9),
            ("", 7), ("Ähnlich", 3),
        ]
        let library = SoundLibrary(
            tracks.enumerated().map { number, track in
                MadeUpSounds.track(
                    number + 1, artist: track.artist, genre: track.genre,
                    MadeUpSounds.descriptor(Float(number)))
            })
        // Rock has three tracks; "anna" and "jazz" have two; no group, "Bob", "zoe" and "Ähnlich" have one.
        let map = LibraryMap(library) { ids in
            #expect(Set(ids) == [7, 8, 9])
            return [7: "anna", 8: "zoe", 9: "Bob"]
        }
        #expect(map.groups == [1, 0, 2, 3, 0, 2, 0, 5, 4, 1, 6])
    }

    @Test("The same library has the same map")
    func repeatable() {
        let maps = (0..<2).map { _ in LibraryMap(Self.groups(60)) { _ in [:] } }
        #expect(maps[0] == maps[1])
    }

    @Test("Libraries of few or equal tracks have a map", arguments: [0, 1, 2, 3])
    func few(_ count: Int) {
        let tracks = (0..<count).map { MadeUpSounds.track($0 + 1, MadeUpSounds.descriptor(1)) }
        let map = LibraryMap(SoundLibrary(tracks)) { _ in [:] }
        #expect(map.places.count == count && map.places.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    }
}
