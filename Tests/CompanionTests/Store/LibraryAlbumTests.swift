import Analyzer
import Catalogue
import Companion
import Foundation
import LibraryStore
import MusicShared
import Tagging
import Testing

@Suite struct LibraryAlbumTests {
    private let data: TemporaryData
    private let library: LibraryStore

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
    }

    private func record(_ path: String, _ number: Int, disc: Int = 1, track: Int, by artist: String) throws
        -> TrackRecord
    {
        var tags = Sample.tags("T\(number)", artist: artist, album: "Album")
        tags.disc.number = disc
        tags.track.number = track
        tags.year = 2_000 + number
        return try Sample.record(path, hash: number, tags: tags, analysis: Sample.analysis(number))
    }

    private func albums() throws -> [AlbumItem] {
        try library.catalogue { try $0.albums(.init(sort: .title, limit: 10)) }.items
    }

    private func artists() throws -> [ArtistItem] {
        try library.catalogue { try $0.artists(.init(sort: .name, limit: 10)) }.items
    }

    @Test("An album has its tracks in order")
    func anAlbumWithItsTracksInOrder() throws {
        try library.record(
            [
                record("x/CD2/1.mp3", 1, disc: 2, track: 1, by: "One"),
                record("x/CD1/2.mp3", 2, track: 2, by: "one"), record("x/CD1/1.mp3", 3, track: 1, by: "One"),
            ], isPresent: Sample.present)
        let albums = try self.albums()
        #expect(albums.count == 1)
        let found = try #require(try library.catalogue { try $0.album(id: albums[0].id) })
        #expect(found.artist == "One" && found.year == 2_001 && found.trackCount == 3)
        #expect(found.tracks?.map(\.title) == ["T3", "T2", "T1"])
        #expect(found.tracks?.contains { $0.durationSeconds == nil } == false)
        let artists = try self.artists()
        #expect(artists.map(\.name) == ["One"])
        #expect(artists[0].trackCount == 3)
    }

    @Test("An album with tracks of several artists has no artist")
    func tracksOfSeveralArtistsHaveNoCommonOne() throws {
        try library.record(
            [record("x/1.mp3", 1, track: 1, by: "One"), record("x/2.mp3", 2, track: 2, by: "Two")],
            isPresent: Sample.present)
        #expect(try albums().map(\.artist) == [nil])
        #expect(try artists().map(\.name) == ["One", "Two"])
    }

    @Test("Album loudness is measured once all tracks are analysed, and again after changes")
    func loudnessIsMeasuredWhenAllTracksAreAndAgainWhenTheyChange() throws {
        let first = try record("x/1.mp3", 1, track: 1, by: "One")
        var second = try record("x/2.mp3", 2, track: 2, by: "One")
        second.analysis = nil
        let ids = try library.record([first, second], isPresent: Sample.present)
        let albumID = try #require(try albums().first?.id)
        #expect(try library.albumsWithOutdatedLoudness().isEmpty)
        try library.save(Sample.analysis(2))
        #expect(try library.albumsWithOutdatedLoudness() == [albumID])
        let measured = Sample.profile().loudness
        #expect(try library.loudnessMeasurements(albumID: albumID) == [measured, measured])

        let loudness = AlbumLoudness(
            integratedLUFS: -11.5, loudnessRangeLU: 7.25, samplePeak: 0.75, truePeak: 0.875)
        func measure() throws {
            try library.setLoudness(loudness, albumID: albumID)
            // 20·lg 0.75 and 20·lg 0.875
            let album = try #require(try albums().first)
            #expect(album.integratedLUFS == -11.5 && album.loudnessRangeLU == 7.25)
            #expect(album.samplePeakDBFS == -2.5 && album.truePeakDBTP == -1.16)
            #expect(try library.albumsWithOutdatedLoudness().isEmpty)
        }
        try measure()
        // A new title does not change the audio.
        second.tags.title = "other"
        try library.record([second], isPresent: Sample.present)
        #expect(try library.albumsWithOutdatedLoudness().isEmpty)
        #expect(try albums().first?.integratedLUFS == -11.5)
        // A new analysis, one track less, and one track more.
        try library.save(Sample.analysis(1))
        #expect(try library.albumsWithOutdatedLoudness() == [albumID])
        #expect(try albums().first?.integratedLUFS == nil)
        try measure()
        try library.markUnavailable { $0 != second.path }
        #expect(try library.albumsWithOutdatedLoudness() == [albumID])
        try measure()
        try library.markAvailable([ids[1]])
        #expect(try library.albumsWithOutdatedLoudness() == [albumID])
        #expect(
            try library.albumsWithOutdatedLoudness(version: TrackAnalysis.currentVersion + 1).isEmpty)
        #expect(throws: StoreError.self) { try library.setLoudness(loudness, albumID: 999) }
    }

    @Test("A retagged track moves to another album")
    func aTrackMovesBetweenAlbums() throws {
        let old = try record("x/1.mp3", 1, track: 1, by: "One")
        try library.record([old], isPresent: Sample.present)
        var new = old
        new.tags.album = "Another"
        try library.record([new], isPresent: Sample.present)
        #expect(try albums().map(\.title) == ["Another"])
    }
}
