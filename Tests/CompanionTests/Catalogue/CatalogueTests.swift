import Analyzer
import Catalogue
import Companion
import Foundation
import LibraryStore
import MusicShared
import Tagging
import Testing

@Suite struct CatalogueTests {
    private let data: TemporaryData
    private let library: LibraryStore
    /// Number, title, artist, album, track number, year, genre.
    private static let songs: [(Int, String?, String?, String?, Int?, Int?, String?)] = [
        (1, "Track 10", "Zoë", "Blue", 2, 1999, "Rock"), (2, "track 2", "Zoë", "Blue", 1, 1999, "rock"),
        (3, "Éclair", "abba", "Arrival", 1, 1976, "Pop"), (4, "Eden", "ABBA", "Arrival", 2, 1976, "Pop"),
        (5, nil, nil, nil, nil, nil, nil), (6, "Blue", "Various Band", "Mix", 1, 2010, "Jazz"),
        (7, "Blue Eyes", "Beyoncé", "Mix", 2, 2011, "Jazz"), (8, "夜に駆ける", "YOASOBI", nil, nil, 2019, nil),
    ]

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        let records = try Self.songs.map { song in
            var tags = Sample.tags(song.1, artist: song.2, album: song.3)
            tags.track.number = song.4
            tags.year = song.5
            tags.genre = song.6
            return try Sample.record(
                "\(song.3 ?? "x")/\(song.0).mp3", hash: song.0, tags: tags,
                analysis: Sample.analysis(song.0))
        }
        try library.record(records, now: Date(timeIntervalSince1970: 1000), isPresent: Sample.present)
    }

    private func tracks(
        _ sort: TrackSort, _ change: (inout CatalogueQuery<TrackSort>) -> Void = { _ in }
    ) throws -> CataloguePage<TrackItem> {
        var query = CatalogueQuery(sort: sort, limit: 100)
        change(&query)
        return try library.catalogue { try $0.tracks(query) }
    }

    /// The number in a song's file name, which no sort order depends on.
    private func numbers(_ page: CataloguePage<TrackItem>) -> [Int] {
        page.items.compactMap { Int($0.relativePath.split(separator: "/").last?.dropLast(4) ?? "") }
    }

    @Test(
        "Each sort order works in both directions and for all page sizes",
        arguments: [
            (TrackSort.title, [5, 6, 7, 3, 4, 2, 1, 8]), (.artist, [5, 3, 4, 7, 6, 8, 2, 1]),
            (.album, [5, 8, 3, 4, 2, 1, 6, 7]), (.year, [5, 3, 4, 1, 2, 6, 7, 8]),
            (.added, [1, 2, 3, 4, 5, 6, 7, 8]), (.duration, [1, 2, 3, 4, 5, 6, 7, 8]),
            (.bpm, [1, 2, 3, 4, 5, 6, 7, 8]),
        ])
    func orders(sort: TrackSort, expected: [Int]) throws {
        #expect(numbers(try tracks(sort)) == expected)
        #expect(numbers(try tracks(sort) { $0.isDescending = true }) == expected.reversed())
        // Pages are parts of the whole list for any page size.
        for limit in 1...9 {
            var pages: [Int] = []
            for offset in stride(from: 0, to: 8, by: limit) {
                let page = try tracks(sort) { ($0.limit, $0.offset) = (limit, offset) }
                #expect(page.total == 8 && page.limit == limit && page.offset == offset)
                pages += numbers(page)
            }
            #expect(pages == expected)
        }
        #expect(try tracks(sort) { $0.offset = 8 }.items.isEmpty)
    }

    @Test("Filters can be combined")
    func filters() throws {
        let all = try tracks(.title).items
        let zoe = try #require(all.first { $0.artist == "Zoë" })
        #expect(numbers(try tracks(.title) { $0.artistID = zoe.artistID }) == [2, 1])
        #expect(numbers(try tracks(.album) { $0.albumID = zoe.albumID }) == [2, 1])
        #expect(numbers(try tracks(.title) { $0.genre = "ROCK" }) == [2, 1])
        #expect(numbers(try tracks(.title) { $0.year = 1976 }) == [3, 4])
        #expect(numbers(try tracks(.title) { ($0.year, $0.genre) = (2011, "jazz") }) == [7])
        #expect(numbers(try tracks(.title) { ($0.fromYear, $0.toYear) = (1976, 1999) }) == [3, 4, 2, 1])
        #expect(numbers(try tracks(.year) { $0.fromYear = 2000 }) == [6, 7, 8])
        #expect(numbers(try tracks(.title) { $0.toYear = 1998 }) == [3, 4])
        #expect(numbers(try tracks(.title) { ($0.fromYear, $0.genre) = (2011, "jazz") }) == [7])
        #expect(numbers(try tracks(.title) { ($0.fromYear, $0.artistID) = (2000, zoe.artistID) }) == [])
        #expect(
            numbers(try tracks(.title) { ($0.toYear, $0.albumID, $0.limit) = (1999, zoe.albumID, 1) }) == [2])
        let range = try tracks(.year) { query in
            (query.text, query.fromYear, query.toYear) = ("blue", 1999, 2010)
            (query.isDescending, query.limit, query.offset) = (true, 2, 1)
        }
        #expect(numbers(range) == [2, 1] && range.total == 3)
        #expect(
            numbers(try tracks(.title) { ($0.text, $0.year, $0.artistID) = ("track", 1999, zoe.artistID) })
                == [2, 1])
        #expect(try tracks(.title) { $0.genre = "none" }.total == 0)
    }

    @Test(
        "Searches find words, and else any part of the text",
        arguments: [
            ("blue", [6, 7, 2, 1]), ("BLU", [6, 7, 2, 1]), ("eye blue", [7]), ("beyonce", [7]), ("駆ける", [8]),
            ("lair", [3]), ("nothing at all", []), ("eclair OR eden", []),
        ])
    func search(text: String, expected: [Int]) throws {
        let page = try tracks(.relevance) { $0.text = text }
        #expect(Set(numbers(page)) == Set(expected) && page.total == expected.count)
        // The best match is the one with the text in its title.
        #expect(page.items.isEmpty || numbers(page)[0] == expected[0])
        let second = try tracks(.relevance) { ($0.text, $0.limit, $0.offset) = (text, 1, 1) }
        #expect(numbers(second) == Array(numbers(page).dropFirst().prefix(1)) && second.total == page.total)
    }

    @Test(
        "No search text causes an error",
        arguments: [
            "\"", "'", "*", "a*", "a OR", "NEAR(", "NOT", "AND", "title:", "{title}: x", "(", ")", "^a", "-a",
            "a-b",
            "+", "\\", "%", "_", "\0", ";", "--", "🎵", "\u{FEFF}", "½", "a\"b", "col : x", "\u{202E}",
            String(repeating: "(", count: 5000), String(repeating: "a ", count: 5000),
        ])
    func noSearchIsAnError(text: String) throws {
        for sort in TrackSort.allCases { _ = try tracks(sort) { $0.text = text } }
        var albums = CatalogueQuery(sort: AlbumSort.title, limit: 5)
        albums.text = text
        var artists = CatalogueQuery(sort: ArtistSort.name, limit: 5)
        artists.text = text
        var playlists = CatalogueQuery(sort: PlaylistSort.name, limit: 5)
        playlists.text = text
        try library.catalogue { reader in
            _ = try reader.albums(albums)
            _ = try reader.artists(artists)
            _ = try reader.playlists(playlists)
        }
    }

    @Test("A track has all values that a player needs")
    func aTrackHasWhatAPlayerNeeds() throws {
        let item = try #require(try tracks(.title) { $0.year = 1999 }.items.first)
        let report = TrackReport(try #require(try library.track(id: item.id)))
        #expect(
            item.title == report.text("title") && item.durationSeconds == report.number("duration_seconds"))
        #expect(
            item.integratedLUFS == report.number("integrated_lufs")
                && item.truePeakDBTP == report.number("true_peak_dbtp"))
        #expect(
            item.samplePeakDBFS == report.number("sample_peak_dbfs")
                && item.loudnessRangeLU == report.number("loudness_range_lu"))
        #expect(
            item.cueInSeconds == report.number("cue_in_seconds")
                && item.cueOutSeconds == report.number("cue_out_seconds"))
        #expect(
            item.startNextSeconds == report.number("start_next_seconds")
                && item.ending == report.text("ending"))
        #expect(item.fadeInEndSeconds == report.number("fade_in_end_seconds"))
        #expect(item.fadeOutStartSeconds == report.number("fade_out_start_seconds"))
        #expect(
            item.bpm == report.number("bpm") && item.firstBeatSeconds == report.number("first_beat_seconds"))
        #expect(
            item.bpmConfidence == report.number("bpm_confidence")
                && item.beatConfidence == report.number("beat_confidence"))
        #expect(
            item.beatConfidence == 0.42 && item.sampleCount == report.number("sample_count").map { Int($0) })
        #expect(item.beatsPerBar == 3 && item.firstDownbeat == 2 && item.barConfidence == 0.37)
        #expect(item.barConfidence == report.number("bar_confidence"))
        #expect(item.key == report.text("key") && item.keyCamelot == report.text("key_camelot"))
        #expect(
            item.encoderDelaySamples == report.number("encoder_delay_samples").map { Int($0) }
                && item.channels == report.number("channels").map { Int($0) })
        #expect(item.encoderPaddingSamples == report.number("encoder_padding_samples").map { Int($0) })
        #expect(item.sampleRateHz == report.number("sample_rate_hz").map { Int($0) })
        #expect(item.averageBitRateBPS == report.number("average_bit_rate_bps").map { Int($0) })
        #expect(item.damagedFrameCount == report.number("damaged_frame_count").map { Int($0) })
        #expect(item.streamURL == "/tracks/\(item.id)/stream.m3u8")
        #expect(item.fileURL == "/api/files/\(item.id)/stream")
        #expect(item.coverURL == "/tracks/\(item.id)/cover?v=1000000")
        let albumID = try #require(item.albumID)
        try library.setLoudness(
            AlbumLoudness(integratedLUFS: -10.126, loudnessRangeLU: 3, samplePeak: 0.5, truePeak: 0.5),
            albumID: albumID)
        let again = try #require(try library.catalogue { try $0.track(id: item.id) })
        #expect(again.albumIntegratedLUFS == -10.13 && again.albumTruePeakDBTP == -6.02)
    }

    @Test("Albums can be sorted, filtered and searched")
    func albums() throws {
        func titles(_ sort: AlbumSort, _ change: (inout CatalogueQuery<AlbumSort>) -> Void = { _ in }) throws
            -> [String]
        {
            var query = CatalogueQuery(sort: sort, limit: 100)
            change(&query)
            let page = try library.catalogue { try $0.albums(query) }
            #expect(page.total == page.items.count)
            return page.items.map(\.title)
        }
        #expect(try titles(.title) == ["Arrival", "Blue", "Mix"])
        // "Mix" has no single artist, so it comes first.
        #expect(try titles(.artist) == ["Mix", "Arrival", "Blue"])
        #expect(try titles(.year) == ["Arrival", "Blue", "Mix"])
        #expect(try titles(.added) { $0.isDescending = true } == ["Mix", "Arrival", "Blue"])
        #expect(try titles(.title) { $0.text = "blu" } == ["Blue"])
        #expect(try titles(.title) { $0.text = "beyonce" } == ["Mix"])
        #expect(try titles(.title) { $0.text = "abba arr" } == ["Arrival"])
        #expect(try titles(.title) { $0.text = "rriv" } == ["Arrival"])
        #expect(try titles(.title) { $0.genre = "jazz" } == ["Mix"])
        #expect(try titles(.title) { $0.year = 2010 } == ["Mix"])
        #expect(try titles(.title) { $0.year = 2011 } == [])
        let zoe = try #require(try tracks(.title) { $0.year = 1999 }.items.first)
        #expect(try titles(.title) { $0.artistID = zoe.artistID } == ["Blue"])
        let band = try #require(try tracks(.title) { $0.year = 2010 }.items.first)
        #expect(try titles(.title) { $0.artistID = band.artistID } == [])
        let album = try #require(try library.catalogue { try $0.album(id: zoe.albumID ?? 0) })
        #expect(album.artist == "Zoë" && album.trackCount == 2 && album.year == 1999)
        #expect(album.tracks.map { $0.map(\.trackNumber) } == [1, 2])
        #expect(album.durationSeconds == 479.898)
        #expect(try library.catalogue { try $0.album(id: 999) } == nil)
    }

    @Test("Artists can be sorted and searched")
    func artists() throws {
        var query = CatalogueQuery(sort: ArtistSort.name, limit: 100)
        let page = try library.catalogue { try $0.artists(query) }
        #expect(page.items.map(\.name) == ["abba", "Beyoncé", "Various Band", "YOASOBI", "Zoë"])
        #expect(page.items.map(\.trackCount) == [2, 1, 1, 1, 2])
        #expect(page.items.map(\.albumCount) == [1, 0, 0, 0, 1])
        for (text, expected) in [("ZOE", ["Zoë"]), ("band var", ["Various Band"]), ("oaso", ["YOASOBI"])] {
            query.text = text
            #expect(try library.catalogue { try $0.artists(query) }.items.map(\.name) == expected)
        }
        let artist = try #require(try library.catalogue { try $0.artist(id: page.items[4].id) })
        #expect(artist.albums.map { $0.map(\.title) } == ["Blue"])
    }

    @Test("Album artists are artists too")
    func albumArtistsAreArtistsToo() throws {
        try library.record(
            [
                Sample.record(
                    "s/1.mp3", hash: 50,
                    tags: Sample.tags("S", artist: "Guest", album: "Split", albumArtist: "Host Band"))
            ], isPresent: Sample.present)
        var query = CatalogueQuery(sort: ArtistSort.name, limit: 100)
        query.text = "host"
        let found = try library.catalogue { try $0.artists(query) }
        #expect(found.items.map(\.name) == ["Host Band"])
        #expect(found.items.map(\.trackCount) == [0] && found.items.map(\.albumCount) == [1])
    }

    @Test("Unavailable tracks are not listed")
    func whatCannotBePlayedIsNotListed() throws {
        try library.markUnavailable { !$0.text.hasPrefix("Blue/") }
        #expect(try tracks(.title).total == 6)
        #expect(try tracks(.relevance) { $0.text = "track" }.items.isEmpty)
        #expect(try library.catalogue { try $0.albums(.init(sort: .title, limit: 9)) }.total == 2)
        #expect(try library.catalogue { try $0.artists(.init(sort: .name, limit: 9)) }.total == 4)
        let gone = try #require(try library.catalogue { try $0.track(id: 1) })
        #expect(!gone.isAvailable)
    }

    @Test("The revision changes with the contents, and only then")
    func theRevisionChangesWithWhatIsThere() throws {
        func revision() throws -> String { try library.catalogue { try $0.revision } }
        let first = try revision()
        try library.markUnavailable(unless: Sample.present)
        #expect(try revision() == first)
        #expect(try LibraryStore(reading: data.folder).catalogue { try $0.revision } == first)
        var seen = [first]
        try library.markUnavailable { $0.text != "Mix/6.mp3" }
        seen.append(try revision())
        try library.save(Sample.analysis(1))
        seen.append(try revision())
        _ = try library.makePlaylist(name: "P")
        seen.append(try revision())
        #expect(Set(seen).count == 4)
        #expect(throws: StoreError.self) { try library.makePlaylist(name: "P") }
        #expect(try revision() == seen[3])
        // Another library never has the same revision.
        let other = try TemporaryData()
        #expect(
            try LibraryStore(other.folder).catalogue { try $0.revision }.prefix(16) != first.prefix(16))
    }
}
