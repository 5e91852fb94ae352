import Analyzer
import Foundation
import MusicShared
import SQLiteDatabase
import Tagging
import Testing
import TestSupport
@testable import LibraryStore

@testable import Catalogue
@testable import Companion

/// Applying the changes to earlier lists must result in the current lists, whatever has been done to the
/// library and by which program.
@Suite struct CatalogueChangesTests {
    private let data: TemporaryData
    private let library: LibraryStore
    /// Another program's connection, which does not maintain revisions.
    private let other: Database

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        other = try Database(path: data.folder.libraryDatabase)
        try library.record(
            (1...12).map { try Self.song($0) }, now: Date(timeIntervalSince1970: 1000),
            isPresent: Sample.present)
        try library.measureOutdatedAlbums()
    }

    /// Three artists and four albums, of which one has an album artist and one has two artists.
    private static func song(_ number: Int, title: String? = nil) throws -> TrackRecord {
        var tags = Sample.tags(
            title ?? "Song \(number)", artist: "Artist \(number % 3)", album: "Album \(number % 4)",
            albumArtist: number % 4 == 1 ? "Group" : nil)
        tags.track.number = number
        tags.year = 1990 + number
        return try Sample.record(
            "\(number % 4)/\(number).mp3", hash: number, tags: tags, analysis: Sample.analysis(number))
    }

    /// The same track with another title and known audio.
    private static func retitled(_ number: Int, _ title: String) throws -> TrackRecord {
        var record = try song(number, title: title)
        record.analysis = nil
        return record
    }

    private func lists(_ library: LibraryStore) throws -> CatalogueMirror {
        try library.catalogue { reader in
            CatalogueMirror(
                tracks: try reader.tracks(.init(sort: .title, limit: 500)).items,
                albums: try reader.albums(.init(sort: .title, limit: 500)).items,
                artists: try reader.artists(.init(sort: .name, limit: 500)).items,
                revision: try reader.catalogueRevision.description)
        }
    }

    private func changes(since revision: String?, limit: Int = 500, of library: LibraryStore? = nil) throws
        -> CatalogueChanges
    {
        try (library ?? self.library).catalogue {
            try $0.changes(since: revision.flatMap { CatalogueRevision($0) }, limit: limit)
        }
    }

    /// Follows the changes since a state in steps, and compares the result with the lists.
    private func expectFollowed(
        from known: CatalogueMirror, limits: [Int] = [1, 3, 500], _ comment: Comment,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let present = try lists(library)
        for limit in limits {
            var mirror = known
            var hasMore = true
            while hasMore {
                let told = try changes(since: mirror.revision, limit: limit)
                #expect(!told.isReset && told.tracks.count <= limit, comment, sourceLocation: location)
                mirror.apply(told)
                hasMore = told.hasMore
                if !hasMore { #expect(mirror.counts(as: told.totals), comment, sourceLocation: location) }
            }
            #expect(mirror == present, comment, sourceLocation: location)
        }
    }

    @Test("An unknown state gives a reset, and an unchanged state an empty result")
    func beginning() throws {
        let first = try changes(since: nil)
        #expect(first.isReset && first.tracks.isEmpty && first.totals == nil)
        let again = try changes(since: first.revision)
        #expect(!again.isReset && !again.hasMore && again.revision == first.revision)
        #expect(again.tracks.isEmpty && again.albums.isEmpty && again.artists.isEmpty)
        #expect(again.totals == .init(tracks: 12, albums: 4, artists: 4))
    }

    @Test("A retagged track is reported with its album and its artist, and nothing else")
    func oneTrack() throws {
        let known = try lists(library)
        try library.record([Self.retitled(5, "Another")], isPresent: Sample.present)
        let told = try changes(since: known.revision)
        #expect(told.tracks.map(\.title) == ["Another"] && told.tracks.first?.relativePath == "1/5.mp3")
        #expect(told.albums.map(\.title) == ["Album 1"])
        #expect(Set(told.artists.map(\.name)) == ["Artist 2", "Group"])
        #expect(told.removed == .init() && !told.hasMore)
        try expectFollowed(from: known, "another title")
    }

    @Test("Recording or analysing again and playlists are not changes")
    func noChange() throws {
        let known = try lists(library)
        try library.record([Self.song(3)], isPresent: Sample.present)
        try library.save(Sample.analysis(4))
        try library.measureOutdatedAlbums()
        // Its album's loudness was out of date for a moment, and is the same again.
        let told = try changes(since: known.revision)
        #expect(told.tracks.allSatisfy { known.tracks[$0.id] == $0 })
        let between = told.revision
        _ = try library.makePlaylist(name: "P", trackIDs: [known.tracks.keys.sorted()[0]])
        #expect(try changes(since: between).revision == between)
    }

    @Test(
        "A change of any listed column is reported, even if written by another program")
    func columns() throws {
        var count = 0
        for table in ["tracks", "analyses", "albums", "artists"] {
            let assignments = try other.fetchAll("PRAGMA table_info(\(table))") { row -> [String] in
                try Self.assignments(
                    to: try row["name"], type: try row["type"], isRequired: try row["notnull"])
            }
            for assignment in assignments.joined() {
                let row = "id = (SELECT min(id) FROM \(table))"
                if try writes("UPDATE \(table) SET \(assignment) WHERE \(row)") { count += 1 }
            }
        }
        #expect(count > 150)
    }

    /// Columns that follow from others, whose changes are reported: only triggers write them.
    private static let derived: Set = [
        "duration_sort", "bpm_sort", "track_count", "first_year", "shown_artist_id", "artist_sort",
        "album_count",
    ]

    /// Two values for a column, at least one of which differs from the current one.
    private static func assignments(to column: String, type: String, isRequired: Bool) throws -> [String] {
        guard column != "id", !derived.contains(column) else { return [] }
        let values = [
            "TEXT": ["'a \(column)'", "'b \(column)'"], "BLOB": ["randomblob(16)", "zeroblob(16)"],
        ]
        return (values[type] ?? ["7", isRequired ? "0" : "NULL"]).map { "\(column) = \($0)" }
    }

    /// Writes as another program, and follows the changes.
    /// - Returns: whether it could be written: some values are not allowed, and some references have no
    ///   target.
    private func writes(_ statement: String) throws -> Bool {
        let known = try lists(library)
        guard (try? other.execute(statement)) != nil else { return false }
        try expectFollowed(from: known, limits: [500], "\(statement)")
        return true
    }

    @Test(
        "Rows inserted, changed or deleted by another program are reported",
        arguments: [
            "DELETE FROM tracks WHERE id = 1", "DELETE FROM tracks", "DELETE FROM analyses",
            "DELETE FROM albums",
            "DELETE FROM artists", "DELETE FROM artists WHERE name = 'Group'",
            "DELETE FROM albums WHERE id = 2",
            "UPDATE tracks SET album_id = NULL", "UPDATE tracks SET artist_id = 2",
            "UPDATE tracks SET unavailable_since_ms = 5", "UPDATE artists SET name = name || '!'",
        ])
    func rows(statement: String) throws {
        let known = try lists(library)
        try other.execute(statement)
        #expect(try lists(library) != known)
        try expectFollowed(from: known, "\(statement)")
    }

    @Test("The library's own changes are reported: moved, missing, back, measured, pruned")
    func ownWrites() throws {
        var known = try lists(library)
        func step(_ comment: Comment, _ body: () throws -> Void) throws {
            try body()
            #expect(try lists(library) != known, comment)
            try expectFollowed(from: known, comment)
            known = try lists(library)
        }
        try step("moved") {
            var moved = try Self.song(1)
            moved.path = try Sample.path("elsewhere/1.mp3")
            try library.record([moved], isPresent: { $0.text != "1/1.mp3" })
        }
        try step("missing") { try library.markUnavailable { !$0.text.hasPrefix("2/") } }
        try step("back") { try library.markAvailable(known.tracks.isEmpty ? [] : [2, 6]) }
        try step("measured") { try library.measureOutdatedAlbums() }
        try step("analysed with other results") {
            var analysis = Sample.analysis(7)
            analysis.profile?.loudness.integratedLUFS = -12
            try library.save(analysis)
        }
        try step("with other audio") {
            var record = try Self.song(8)
            record.audioHash = Sample.hash(80)
            record.analysis = Sample.analysis(80)
            record.file.size += 1
            try library.record([record], isPresent: Sample.present)
        }
        try step("new, with a new artist and album") {
            try library.record(
                [
                    try Sample.record(
                        "new/1.mp3", hash: 99, tags: Sample.tags("New", artist: "Nobody", album: "None"))
                ], isPresent: Sample.present)
        }
        try step("analysed later") { try library.save(Sample.analysis(99)) }
        try step("all missing") { try library.markUnavailable(unless: Sample.absent) }
        _ = try library.prune(goneBefore: .distantFuture, frames: SpectrumStore(data.folder))
        try expectFollowed(from: known, "pruned")
    }

    @Test("Random changes can be followed in steps of any length", arguments: 1...6)
    func anything(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var known = try lists(library)
        for step in 1...60 {
            let number = Int.random(in: 1...14, using: &random)
            switch Int.random(in: 0...6, using: &random) {
            case 0...2:
                var record = try Self.song(number, title: "Step \(step)")
                record.tags.artist = "Artist \(Int.random(in: 0...4, using: &random))"
                record.tags.albumArtist = Bool.random(using: &random) ? nil : "Group"
                record.tags.album = "Album \(Int.random(in: 0...2, using: &random))"
                try library.record([record], isPresent: Sample.present)
            case 3: try library.markUnavailable { !$0.text.hasSuffix("\(number).mp3") }
            case 4: try library.markAvailable([number])
            case 5: try library.measureOutdatedAlbums()
            default: _ = try library.prune(goneBefore: .distantFuture, frames: SpectrumStore(data.folder))
            }
            if Int.random(in: 0...3, using: &random) == 0 {
                try expectFollowed(
                    from: known, limits: [Int.random(in: 1...20, using: &random)], "step \(step)")
                known = try lists(library)
            }
        }
        try expectFollowed(from: known, "the last step")
    }

    @Test("A library restored from a copy and then changed is not confused with the original")
    func restored() throws {
        let early = try lists(library)
        let copy = try TemporaryData()
        try library.writeCopy(.whole, to: copy.folder.libraryDatabase)
        try library.record([Self.song(1, title: "Here")], isPresent: Sample.present)
        let late = try lists(library)
        // The copy is changed independently, with more changes.
        let restored = try LibraryStore(copy.folder)
        #expect(try changes(since: late.revision, of: restored).isReset)
        for number in 1...5 {
            try restored.record([Self.song(number, title: "There \(number)")], isPresent: Sample.present)
        }
        let told = try changes(since: late.revision, of: restored)
        #expect(told.isReset && told.tracks.isEmpty)
        #expect(try told.revision == lists(restored).revision)
        // The state before the copy is known to both.
        var mirror = early
        mirror.apply(try changes(since: early.revision, of: restored))
        #expect(try mirror == lists(restored))
        // An unrelated library.
        let empty = try TemporaryData()
        let foreign = try LibraryStore(empty.folder)
        #expect(try changes(since: early.revision, of: foreign).isReset)
    }

    @Test("Old changes are deleted, and clients that know only older states get a reset")
    func forgotten() throws {
        let known = try lists(library)
        // As if this many changes had been made since.
        try other.execute(
            "INSERT INTO catalogue_changes (revision, track_id) VALUES (?, 1)", [LibrarySchema.keptChanges])
        try library.record([Self.retitled(1, "x")], isPresent: Sample.present)
        let later = try changes(since: known.revision)
        #expect(!later.isReset && later.tracks.map(\.title) == ["x"])
        try other.execute(
            "INSERT INTO catalogue_changes (revision, track_id) VALUES (?, 1)",
            [2 * LibrarySchema.keptChanges])
        let last = try changes(since: nil).revision
        try library.record([Self.retitled(1, "y")], isPresent: Sample.present)
        #expect(try changes(since: known.revision).isReset)
        #expect(try changes(since: last).tracks.map(\.title) == ["y"])
        let rows: Int? = try other.scalar("SELECT count(*) FROM catalogue_changes")
        #expect((2...20).contains(try #require(rows)))
    }

    @Test("Migration gives an older library a first state and leaves its rows alone")
    func migration() throws {
        let data = try TemporaryData()
        do {
            let database = try Database(path: data.folder.libraryDatabase)
            let before = LibrarySchema.migrations.prefix { $0.name != "catalogue changes" }
            try database.migrate(Array(before), applicationID: LibrarySchema.applicationID)
            try database.executeScript(
                """
                INSERT INTO tracks (relative_path, audio_hash, file_size, modified_at_ns, title, is_compilation,
                    has_cover, tag_kinds, added_at_ms, changed_at_ms)
                VALUES ('a.mp3', zeroblob(16), 1, 1, 'A', 0, 0, 0, 1, 1), ('b.mp3', zeroblob(16), 1, 1, 'B', 0, 0, 0, 1, 1);
                """)
        }
        let library = try LibraryStore(data.folder)
        let first = try changes(since: nil, of: library)
        #expect(first.revision.hasPrefix("1-"))
        let database = try Database(path: data.folder.libraryDatabase)
        try database.execute("UPDATE tracks SET title = 'C' WHERE title = 'B'")
        let told = try changes(since: first.revision, of: library)
        #expect(told.tracks.map(\.title) == ["C"] && told.totals?.tracks == 2)
    }

    @Test(
        "Revisions can be parsed, and other texts are rejected",
        arguments: [1, -1, Int(Int32.min), Int(Int32.max), 0])
    func names(mark: Int) {
        let revision = CatalogueRevision(number: 12, mark: mark)
        #expect(CatalogueRevision(revision.description) == revision)
        for text in [
            "", "12", "12-", "-12-00000000", "0-00000000", "012-00000000", "12-0000000", "12-0000000G",
            "12-ABCDEF01", "1-00000000-",
        ] {
            #expect(CatalogueRevision(text) == nil, "\(text)")
        }
    }
}
