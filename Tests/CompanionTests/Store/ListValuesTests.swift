import Analyzer
import Foundation
import SQLiteDatabase
import Tagging
import Testing
@testable import LibraryStore

/// The values that lists read instead of all rows, compared with their definitions.
@Suite struct ListValuesTests {
    private let data: TemporaryData
    private let database: Database

    init() throws {
        data = try TemporaryData()
        database = try Database(path: data.folder.libraryDatabase)
    }

    /// Numbers that are the same in each run.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 11 ^ state << 31
        }
    }

    private func migrate(until name: String? = nil) throws {
        let all = LibrarySchema.migrations
        let end = name.flatMap { name in all.firstIndex { $0.name == name } } ?? all.count
        try database.migrate(Array(all.prefix(end)), applicationID: LibrarySchema.applicationID)
    }

    private func hash(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 16) }

    private func addNames() throws {
        for number in 1...5 {
            try database.execute(
                "INSERT INTO artists (id, name, name_key, name_sort) VALUES (?, ?, ?, ?)",
                [number, "Artist \(number)", "artist \(number)", "artist \(number)"])
        }
        for number in 1...6 {
            try database.execute(
                "INSERT INTO albums (id, album_key, title, title_sort, artist_id) VALUES (?, ?, ?, ?, ?)",
                [
                    number, "\(number)", "Album \(number)", "album \(number)",
                    number % 3 == 0 ? number / 3 : nil,
                ])
        }
    }

    private func values(_ chance: inout Chance) -> [(any DatabaseBindable)?] {
        func maybe(_ range: ClosedRange<Int>) -> Int? {
            let number = Int.random(in: range, using: &chance)
            return number == range.lowerBound ? nil : number
        }
        let genres: [String?] = [nil, "", "Rock", "rock", "Jazz", "Schöne Lieder"]
        return [
            maybe(0...6), maybe(0...5), maybe(1990...1994), genres.randomElement(using: &chance) ?? nil,
            Int.random(in: 0..<4, using: &chance) == 0 ? 1 : nil, hash(Int.random(in: 0..<8, using: &chance)),
            ["Blue", nil, "Red"].randomElement(using: &chance) ?? nil,
        ]
    }

    private func change(_ number: Int, _ chance: inout Chance) throws {
        let tracks: [Int] = try database.values("SELECT id FROM tracks")
        let track = tracks.randomElement(using: &chance)
        switch Int.random(in: 0..<12, using: &chance) {
        case 0...4:
            try database.execute(
                """
                INSERT OR IGNORE INTO tracks (relative_path, file_size, modified_at_ns, is_compilation, has_cover, tag_kinds,
                    added_at_ms, changed_at_ms, album_id, artist_id, year, genre, unavailable_since_ms, audio_hash, artist)
                SELECT ?, 1, 1, 0, 0, 0, 1, 1, albums.id, artists.id, ?4, ?5, ?6, ?7, ?8
                FROM (SELECT 1) LEFT JOIN albums ON albums.id = ?2 LEFT JOIN artists ON artists.id = ?3
                """, ["\(number).mp3"] + values(&chance))
        case 5...7:
            try database.execute(
                """
                UPDATE tracks SET album_id = (SELECT id FROM albums WHERE id = ?1),
                    artist_id = (SELECT id FROM artists WHERE id = ?2), year = ?3, genre = ?4, unavailable_since_ms = ?5,
                    audio_hash = ?6, artist = ?7 WHERE id = ?8
                """, values(&chance) + [track])
        case 8: try database.execute("DELETE FROM tracks WHERE id = ?", [track])
        case 9:
            let row = values(&chance)
            try database.execute(
                "UPDATE albums SET artist_id = (SELECT id FROM artists WHERE id = ?) WHERE id = ?",
                [row[1], row[0]])
            try database.execute("UPDATE artists SET name_sort = ? WHERE id = ?", ["sort \(number)", row[1]])
        case 10:
            let row = values(&chance)
            try database.execute("DELETE FROM analyses WHERE audio_hash = ?", [row[5]])
            guard number.isMultiple(of: 3) == false else { return }
            try database.execute(
                Self.analysis, [row[5], Double(number), number % 5 == 0 ? nil : Double(number) / 2])
        default:
            let row = values(&chance)
            try database.execute(
                "UPDATE analyses SET duration_seconds = ?, bpm = ? WHERE audio_hash = ?", [1.5, 2.5, row[5]])
        }
    }

    private static let analysis = """
        INSERT INTO analyses (audio_hash, analyzer_version, analyzed_at_ms, mpeg_version, sample_rate_hz, channels, bit_rate_mode,
            average_bit_rate_bps, frame_count, samples_per_frame, encoder_delay_samples, encoder_padding_samples,
            decoded_sample_count, sample_count, duration_seconds, skipped_bytes, resync_count, remarks, bpm)
        VALUES (?, 1, 1, '1', 1, 1, '', 1, 1, 1, 1, 1, 1, 1, ?, 0, 0, '', ?)
        """

    /// Counts the values that differ from their definition.
    private func expectDefinitions(_ place: SourceLocation = #_sourceLocation) throws {
        let playable = "FROM tracks WHERE album_id = albums.id AND unavailable_since_ms IS NULL"
        let differing = [
            """
            albums WHERE track_count <> (SELECT count(*) \(playable)) OR first_year IS NOT (SELECT min(+year) \(playable))
                OR shown_artist_id IS NOT coalesce(artist_id, (SELECT CASE WHEN count(DISTINCT coalesce(artist_id, 0)) = 1
                    THEN max(artist_id) END \(playable)))
                OR artist_sort <> coalesce((SELECT name_sort FROM artists WHERE id = shown_artist_id), '')
            """,
            """
            artists WHERE track_count <>
                (SELECT count(*) FROM tracks WHERE artist_id = artists.id AND unavailable_since_ms IS NULL)
            """,
            """
            artists WHERE album_count <> (SELECT count(*) FROM albums WHERE shown_artist_id = artists.id
                AND EXISTS (SELECT 1 \(playable)))
            """,
            """
            tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            WHERE duration_sort IS NOT duration_seconds OR bpm_sort IS NOT bpm
            """,
            Self.symmetricDifference(
                "SELECT lower(genre), album_id, track_count FROM album_genres",
                """
                SELECT lower(genre), coalesce(album_id, 0), count(*) FROM tracks
                WHERE unavailable_since_ms IS NULL AND genre <> '' GROUP BY 1, 2
                """),
            Self.symmetricDifference(
                "SELECT album_id, album, artist, album_artist, track_count FROM album_credits",
                """
                SELECT album_id, coalesce(album, ''), coalesce(artist, ''), coalesce(album_artist, ''), count(*) FROM tracks
                WHERE unavailable_since_ms IS NULL AND album_id IS NOT NULL GROUP BY 1, 2, 3, 4
                """),
        ]
        for rows in differing {
            let count: Int? = try database.scalar("SELECT count(*) FROM \(rows)")
            #expect(count == 0, "\(rows)", sourceLocation: place)
        }
        for table in ["tracks_fts", "album_credits_fts", "artists_fts"] {
            try database.execute("INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
        }
    }

    private static func symmetricDifference(_ one: String, _ other: String) -> String {
        "(SELECT * FROM (\(one) EXCEPT \(other)) UNION ALL SELECT * FROM (\(other) EXCEPT \(one)))"
    }

    @Test("Triggers keep the values of lists as they are defined", arguments: 1...4)
    func triggers(seed: Int) throws {
        try migrate()
        try addNames()
        var chance = Chance(state: UInt64(seed))
        for number in 1...300 {
            try change(number, &chance)
            if number.isMultiple(of: 10) { try expectDefinitions() }
        }
        let shown: Int = try database.scalar("SELECT sum(track_count) FROM albums") ?? 0
        #expect(shown > 10)
        try database.execute("DELETE FROM artists WHERE id = 1")
        try expectDefinitions()
        try database.execute("DELETE FROM albums WHERE id IN (2, 3)")
        try expectDefinitions()
        try database.execute("DELETE FROM tracks")
        try expectDefinitions()
    }

    @Test("Migration computes the values of lists of an older library")
    func migration() throws {
        try migrate(until: "lists")
        try addNames()
        var chance = Chance(state: 9)
        for number in 1...200 { try change(number, &chance) }
        try migrate()
        try expectDefinitions()
    }

    /// A file whose values often equal those of others: some have the same path, the same audio, or neither tags nor an
    /// analysis.
    private func record(_ chance: inout Chance) throws -> TrackRecord {
        func any<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &chance)]
        }
        var tags = Sample.tags(
            any(["Wish", "Schön", nil]), artist: any(["Ada", "Bo", "ADA", nil]),
            album: any(["Blue", "Red", nil]),
            albumArtist: any(["Ada", nil, nil]))
        tags.year = any([1990, 1991, nil])
        tags.genre = any(["Rock", "rock", "Jazz", "", nil])
        tags.isCompilation = any([false, false, true])
        let number = Int.random(in: 0..<150, using: &chance)
        return try Sample.record(
            "\(any(["a", "b"]))/\(Int.random(in: 0..<400, using: &chance)).mp3", hash: number, tags: tags,
            analysis: number.isMultiple(of: 4) ? nil : Sample.analysis(number, profile: nil))
    }

    @Test(
        "Tracks inserted in bulk are counted, found and logged like single ones", arguments: 1...3,
        ["parts", "batches"])
    func bulkInsertion(seed: Int, source: String) throws {
        let other = try TemporaryData()
        let (bulk, single) = (try LibraryStore(data.folder), try LibraryStore(other.folder))
        try database.attach(other.folder.libraryDatabase, as: "other")
        // Tracks of missing files move, also to paths in the same part.
        let isPresent = { (path: RelativePath) in !path.text.hasSuffix("7.mp3") }
        let now = Date(timeIntervalSince1970: 1_000)
        var chance = Chance(state: UInt64(seed))
        for part in 0..<5 {
            // A part has each path once.
            var paths: Set<String> = []
            let records = try (0..<60).map { _ in try record(&chance) }
                .filter { paths.insert($0.path.text).inserted }
            for record in records { try single.record([record], now: now, isPresent: isPresent) }
            if source == "parts" {
                let results = try PartResults()
                for record in records { try results.add(record, spectra: nil) }
                let path = data.folder.path + "/part-\(part).sqlite"
                try results.write(to: path)
                _ = try bulk.merge(partAt: path, now: now, isPresent: isPresent)
            } else {
                try bulk.record(records, now: now, isPresent: isPresent)
            }
            try expectDefinitions()
            try expectEqualTables()
        }
        let count: Int? = try database.scalar("SELECT count(*) FROM tracks")
        #expect(try #require(count) > 150)
        // Triggers follow insertions again.
        for library in [bulk, single] {
            try library.record([try Sample.record("last.mp3", hash: 999)], now: now, isPresent: isPresent)
        }
        try expectDefinitions()
        try expectEqualTables()
    }

    @Test("Completing a bulk insertion reads no other tracks")
    func bulkPlans() throws {
        try migrate()
        for statement in LibrarySchema.insertedTracks {
            let plan = try database.fetchAll("EXPLAIN QUERY PLAN \(statement)", [1]) { row -> String in
                try row["detail"]
            }
            #expect(plan.contains { $0.hasPrefix("SEARCH tracks USING INTEGER PRIMARY KEY") }, "\(plan)")
        }
    }

    private func expectEqualTables(_ place: SourceLocation = #_sourceLocation) throws {
        for (table, columns) in [
            ("tracks", "*"), ("albums", "*"), ("artists", "*"), ("album_genres", "*"), ("analyses", "*"),
            ("album_credits", "album_id, album, artist, album_artist, track_count"),
            ("catalogue_changes", "track_id, album_id, artist_id"), ("row_changes", "kind, row"),
        ] {
            let count: Int? = try database.scalar(
                """
                SELECT count(*) FROM \(Self.symmetricDifference(
                    "SELECT \(columns) FROM main.\(table)", "SELECT \(columns) FROM other.\(table)"))
                """)
            #expect(count == 0, "\(table)", sourceLocation: place)
        }
    }
}
