import Analyzer
import Companion
import Foundation
import LibraryStore
import Testing

/// Similar tracks of a library that changes.
@Suite("Similar tracks of a store") struct SimilarTracksTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
    }

    private func add(_ numbers: [Int], artist: String = "Artist") throws {
        for number in numbers {
            var profile = Sample.profile(waveformPixels: 1)
            profile.character.descriptor = MadeUpSounds.descriptor(Float(number))
            let record = try Sample.record(
                "\(number).mp3", hash: number, tags: Sample.tags(artist: artist),
                analysis: Sample.analysis(number, profile: profile))
            _ = try library.record([record], now: now, isPresent: Sample.present)
        }
    }

    private func id(_ number: Int) throws -> Int {
        try #require(try library.track(path: Sample.path("\(number).mp3"))).track.id
    }

    @Test("Changes of the library are seen, and tracks without a descriptor left out")
    func changes() throws {
        let similar = SimilarTracks(library)
        #expect(try similar.current.tracks.isEmpty)
        try add([1, 2, 4, 8, 16])
        var profile = Sample.profile(waveformPixels: 1)
        profile.character = SoundCharacter()
        let plain = try Sample.record(
            "plain.mp3", hash: 99, analysis: Sample.analysis(99, profile: profile))
        _ = try library.record([plain], now: now, isPresent: Sample.present)
        let first = try similar.current
        #expect(first.tracks.count == 5)
        #expect(try first.similar(to: [id(1)], count: 2).map(\.id) == [id(2), id(4)])
        try add([3])
        let second = try similar.current
        #expect(try second.similar(to: [id(1)], count: 2).map(\.id) == [id(2), id(3)])
        #expect(first.tracks.count == 5)
    }

    @Test("While a large library is read again, the former state is returned", .timeLimit(.minutes(30)))
    func largeLibrary() throws {
        // Every library is large.
        let similar = SimilarTracks(library, leastCost: .zero, restFactor: 0)
        try add([1, 2])
        #expect(try similar.current.tracks.count == 2)
        try add([3])
        var count = try similar.current.tracks.count
        #expect(count == 2)
        while count == 2 { count = try similar.current.tracks.count }
        #expect(count == 3)
        #expect(try similar.currentMap.places.count == 3)
    }

    @Test("Reports have energy, danceability and brightness")
    func reported() throws {
        let record = try Sample.record("a.mp3", analysis: Sample.analysis())
        _ = try library.record([record], now: now, isPresent: Sample.present)
        let report = TrackReport(try #require(try library.track(path: Sample.path("a.mp3"))))
        #expect(report.number("energy") == 0.31 && report.number("danceability") == 0.77)
        #expect(report.number("brightness_hz") == 812.5)
    }

    @Test("Other artists only")
    func artists() throws {
        try add([1, 2, 3], artist: "One")
        try add([10, 20], artist: "Other")
        let current = try SimilarTracks(library).current
        #expect(try current.similar(to: [id(1)], count: 2).map(\.id) == [id(2), id(3)])
        #expect(
            try current.similar(to: [id(1)], count: 5, otherArtists: true).map(\.id) == [id(10), id(20)])
        let both = try current.similar(to: [id(1), id(20)], count: 9).map(\.id)
        #expect(try Set(both) == [id(2), id(3), id(10)])
    }
}
