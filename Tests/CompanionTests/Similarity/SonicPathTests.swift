import Analyzer
import LibraryStore
import Testing

@testable import Companion

/// Paths between tracks of made-up libraries.
@Suite("Path between two tracks") struct SonicPathTests {
    @Test("A path along a line visits evenly spaced tracks in order")
    func line() throws {
        let tracks = (0...100).map {
            MadeUpSounds.track($0 + 1, artist: $0, MadeUpSounds.descriptor(Float($0) / 10))
        }
        let path = try #require(SonicPath(SoundLibrary(tracks)).tracks(from: 1, to: 101, count: 11))
        #expect(path.map(\.id) == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101])
        #expect(path[0].similarity == 1)
        #expect(zip(path, path.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
    }

    @Test("Both ends are kept, nothing occurs twice", arguments: [2, 3, 10, 25, 60])
    func distinct(_ count: Int) throws {
        let library = MadeUpSounds.library(50, artists: 5)
        let path = try #require(SonicPath(library).tracks(from: 9, to: 33, count: count)).map(\.id)
        #expect(path.first == 9 && path.last == 33)
        #expect(Set(path).count == path.count && path.count <= min(count, 50))
        #expect(path.count >= min(count, 20))
    }

    @Test("Of two equal tracks the one of another artist is chosen")
    func artists() throws {
        var tracks = [MadeUpSounds.track(1, artist: 1, MadeUpSounds.descriptor(0))]
        tracks.append(MadeUpSounds.track(2, artist: 1, MadeUpSounds.descriptor(5)))
        tracks.append(MadeUpSounds.track(3, artist: 2, MadeUpSounds.descriptor(5)))
        tracks.append(MadeUpSounds.track(4, artist: 3, MadeUpSounds.descriptor(10)))
        let path = try #require(SonicPath(SoundLibrary(tracks)).tracks(from: 1, to: 4, count: 3))
        #expect(path.map(\.id) == [1, 3, 4])
    }

    @Test("A path from a track to itself is the track; tracks without descriptor have none")
    func ends() {
        let library = MadeUpSounds.library(5, artists: 2)
        #expect(SonicPath(library).tracks(from: 2, to: 2, count: 9)?.map(\.id) == [2])
        #expect(SonicPath(library).tracks(from: 2, to: 77, count: 9) == nil)
        #expect(SonicPath(library).tracks(from: 2, to: 3, count: 2)?.map(\.id) == [2, 3])
    }
}
