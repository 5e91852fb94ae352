import Foundation
import MusicShared
import SQLiteDatabase
import Testing
@testable import Catalogue
@testable import LibraryStore

/// Lists and searches of libraries of different sizes: what they cost must not depend on the size.
@Suite struct LargeLibraryTests {
    /// A library with ten tracks per album and two albums per artist.
    private struct Made {
        let data: TemporaryData
        let library: LibraryStore

        init(tracks count: Int) throws {
            data = try TemporaryData()
            _ = try LibraryStore(data.folder)
            let database = try Database(path: data.folder.libraryDatabase)
            try database.transaction(.immediate) { try Self.fill(database, count) }
            library = try LibraryStore(data.folder)
        }

        private static func fill(_ database: Database, _ count: Int) throws {
            let numbers =
                "WITH numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))"
            let scattered = "n * 7919 % \(count)"
            try database.executeScript(
                """
                \(numbers) INSERT INTO artists (id, name, name_key, name_sort)
                SELECT n, 'Artist ' || n, 'a' || n, printf('artist %06d', \(scattered)) FROM numbers WHERE n <= \(count / 20);
                \(numbers) INSERT INTO albums (id, album_key, title, title_sort)
                SELECT n, n, 'Album ' || n, printf('album %06d', \(scattered)) FROM numbers WHERE n <= \(count / 10);
                \(numbers) INSERT INTO analyses (audio_hash, analyzer_version, analyzed_at_ms, mpeg_version, sample_rate_hz, channels,
                    bit_rate_mode, average_bit_rate_bps, frame_count, samples_per_frame, encoder_delay_samples,
                    encoder_padding_samples, decoded_sample_count, sample_count, duration_seconds, skipped_bytes, resync_count,
                    remarks, bpm)
                SELECT CAST(printf('%016d', n) AS BLOB), 1, 1, '1', 44100, 2, '', 1, 1, 1, 1, 1, 1, 1, \(scattered), 0, 0, '',
                    \(scattered) FROM numbers;
                \(numbers) INSERT INTO tracks (id, relative_path, audio_hash, file_size, modified_at_ns, title, artist, album,
                    track_number, year, genre, is_compilation, has_cover, tag_kinds, artist_id, album_id, added_at_ms,
                    changed_at_ms, title_sort, artist_sort, album_sort)
                SELECT n, n || '.mp3', CAST(printf('%016d', n) AS BLOB), 1, 1, 'Title ' || n, 'Artist ' || ((n - 1) / 20 + 1),
                    'Album ' || ((n - 1) / 10 + 1), n % 10, 1950 + n / 10 % 70, 'Genre ' || (n / 20 % 5), 0, 0, 0,
                    (n - 1) / 20 + 1, (n - 1) / 10 + 1, n, n, printf('title %06d', \(scattered)),
                    printf('artist %06d', (n - 1) / 20), printf('album %06d', (n - 1) / 10)
                FROM numbers;
                UPDATE library_state SET revision = revision + 1;
                """)
        }

        /// The work of a query, with the number of items known already.
        func steps<Item, Sort>(
            _ query: CatalogueQuery<Sort>,
            _ find: (CatalogueReader, CatalogueQuery<Sort>) throws -> CataloguePage<Item>
        ) throws -> Int {
            try library.catalogue { reader in
                var counting = query
                counting.limit = 0
                _ = try find(reader, counting)
                let before = reader.database.stepCount
                #expect(try find(reader, query).items.count == query.limit)
                return reader.database.stepCount - before
            }
        }
    }

    private static let small = Result { try Made(tracks: 4_000) }
    private static let large = Result { try Made(tracks: 20_000) }

    private func expectSame<Item, Sort>(
        _ query: CatalogueQuery<Sort>, place: SourceLocation = #_sourceLocation,
        _ find: (CatalogueReader, CatalogueQuery<Sort>) throws -> CataloguePage<Item>
    ) throws {
        let few = try Self.small.get().steps(query, find)
        let many = try Self.large.get().steps(query, find)
        #expect(Double(many) < Double(few) * 1.3 + 500, "\(query)", sourceLocation: place)
    }

    @Test("A page of tracks costs the same in a library of any size", arguments: TrackSort.allCases)
    func trackPages(sort: TrackSort) throws {
        for isDescending in [false, true] {
            var query = CatalogueQuery(sort: sort, limit: 20)
            query.isDescending = isDescending
            try expectSame(query) { try $0.tracks($1) }
        }
    }

    @Test("A page of albums costs the same in a library of any size", arguments: AlbumSort.allCases)
    func albumPages(sort: AlbumSort) throws {
        for isDescending in [false, true] {
            var query = CatalogueQuery(sort: sort, limit: 20)
            query.isDescending = isDescending
            try expectSame(query) { try $0.albums($1) }
        }
    }

    @Test("A page of artists costs the same in a library of any size", arguments: ArtistSort.allCases)
    func artistPages(sort: ArtistSort) throws {
        try expectSame(CatalogueQuery(sort: sort, limit: 20)) { try $0.artists($1) }
    }

    @Test("The last page costs hardly more than the first", arguments: TrackSort.allCases)
    func lastPage(sort: TrackSort) throws {
        var query = CatalogueQuery(sort: sort, limit: 20)
        let first = try Self.large.get().steps(query) { try $0.tracks($1) }
        query.offset = 19_980
        let last = try Self.large.get().steps(query) { try $0.tracks($1) }
        #expect(Double(last) < Double(first) * 1.3 + 500)
    }

    @Test("Pages from either end make up the whole list")
    func pagesFromBothEnds() throws {
        let library = try Self.small.get().library
        var ids: [Int] = []
        for offset in stride(from: 0, to: 4_200, by: 300) {
            var query = CatalogueQuery(sort: TrackSort.bpm, limit: 300)
            query.offset = offset
            ids += try library.catalogue { try $0.tracks(query) }.items.map(\.id)
        }
        let expected = (1...4_000).sorted { ($0 * 7919 % 4_000, $0) < ($1 * 7919 % 4_000, $1) }
        #expect(ids == expected)
    }

    @Test(
        "Filters of many tracks give the whole list in each order",
        arguments: [TrackSort.title, .bpm, .album])
    func denseFilters(sort: TrackSort) throws {
        let library = try Self.large.get().library
        var query = CatalogueQuery(sort: sort, limit: 1_000)
        query.genre = "genre 3"
        var ids: [Int] = []
        for offset in stride(from: 0, to: 5_000, by: 1_000) {
            query.offset = offset
            let page = try library.catalogue { try $0.tracks(query) }
            #expect(page.total == 4_000)
            ids += page.items.map(\.id)
        }
        let members = (1...20_000).filter { $0 / 20 % 5 == 3 }
        let expected =
            switch sort {
            case .album: members.sorted { (($0 - 1) / 10, $0 % 10, $0) < (($1 - 1) / 10, $1 % 10, $1) }
            default: members.sorted { ($0 * 7919 % 20_000, $0) < ($1 * 7919 % 20_000, $1) }
            }
        #expect(ids == expected)
        query.year = 1953
        query.offset = 0
        #expect(
            try library.catalogue { try $0.tracks(query) }.total
                == members.filter { 1950 + $0 / 10 % 70 == 1953 }.count)
    }

    @Test("A search that matches every track lists each once, and the titles that fit best first")
    func broadSearch() throws {
        let made = try Made(tracks: 3_000)
        let database = try Database(path: made.data.folder.libraryDatabase)
        try database.executeScript(
            """
            UPDATE tracks SET title = 'MP3', title_sort = '\(SortKey.key("MP3"))' WHERE id = 2500;
            UPDATE tracks SET title = 'An Mp3', title_sort = '\(SortKey.key("An Mp3"))' WHERE id = 2000;
            UPDATE tracks SET title = 'Mp3s', title_sort = '\(SortKey.key("Mp3s"))' WHERE id = 2900;
            UPDATE tracks SET unavailable_since_ms = 1 WHERE id = 7;
            UPDATE library_state SET revision = revision + 1;
            """)
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: 250)
        query.text = "mp3"
        var ids: [Int] = []
        for offset in stride(from: 0, to: 3_250, by: 250) {
            query.offset = offset
            let page = try made.library.catalogue { try $0.tracks(query) }
            #expect(page.total == 2_999)
            ids += page.items.map(\.id)
        }
        #expect(ids.prefix(4) == [2500, 2000, 2900, 1])
        #expect(ids.count == 2_999 && Set(ids) == Set(1...3_000).subtracting([7]))
        query.sort = .title
        query.offset = 0
        let sorted = try made.library.catalogue { try $0.tracks(query) }
        #expect(sorted.total == 2_999 && sorted.items.prefix(3).map(\.id) == [2000, 2500, 2900])
    }

    @Test("A search that matches thousands of albums lists each once, in each order")
    func broadAlbumSearch() throws {
        let made = try Made(tracks: 22_000)
        let database = try Database(path: made.data.folder.libraryDatabase)
        try database.executeScript(
            """
            UPDATE tracks SET album = 'Zed Alb' WHERE album_id = 1500;
            UPDATE albums SET title = 'Zed Alb', title_sort = '\(SortKey.key("Zed Alb"))' WHERE id = 1500;
            UPDATE tracks SET artist = 'Guest' WHERE id IN (101, 105);
            UPDATE tracks SET unavailable_since_ms = 1 WHERE album_id = 7;
            UPDATE library_state SET revision = revision + 1;
            """)
        let byTitle = (1...2_200).filter { $0 != 7 && $0 != 1500 }
            .sorted { ($0 * 7919 % 22_000, $0) < ($1 * 7919 % 22_000, $1) }
        func expect(_ sort: AlbumSort, isDescending: Bool, _ expected: [Int]) throws {
            var query = CatalogueQuery(sort: sort, limit: 500)
            query.text = "alb"
            query.isDescending = isDescending
            var ids: [Int] = []
            for offset in stride(from: 0, to: 3_000, by: 500) {
                query.offset = offset
                let page = try made.library.catalogue { try $0.albums(query) }
                #expect(page.total == 2_199)
                ids += page.items.map(\.id)
            }
            #expect(ids == expected, "\(sort), descending: \(isDescending)")
        }
        // A title with the searched word comes before titles with words that start with it.
        try expect(.relevance, isDescending: false, [1500] + byTitle)
        try expect(.title, isDescending: false, byTitle + [1500])
        try expect(.title, isDescending: true, [1500] + byTitle.reversed())
        try database.executeScript(
            """
            UPDATE tracks SET unavailable_since_ms = NULL WHERE album_id = 7;
            UPDATE library_state SET revision = revision + 1;
            """)
        var query = CatalogueQuery(sort: AlbumSort.relevance, limit: 1)
        query.text = "alb"
        #expect(try made.library.catalogue { try $0.albums(query) }.total == 2_200)
    }

    @Test("Kept orders of lists are bounded, and those of older states go first")
    func memory() {
        let memo = ListMemo(capacity: 1_000)
        func key(_ state: String, _ sql: String) -> ListMemo.Key {
            ListMemo.Key(state: state, sql: sql, arguments: [1])
        }
        memo[key("1", "a")] = Array(0..<300)
        memo[key("2", "a")] = Array(0..<300)
        memo[key("2", "b")] = Array(0..<300)
        #expect(memo[key("1", "a")] == nil)
        #expect(memo[key("2", "a")]?.count == 300 && memo[key("2", "b")]?.count == 300)
        memo[key("2", "c")] = Array(0..<2_000)
        #expect(memo[key("2", "c")] == nil)
        for number in 0..<100 { memo[key("2", "\(number)")] = [number] }
        #expect((0..<100).count { memo[key("2", "\($0)")] != nil } <= 10)
    }
}
