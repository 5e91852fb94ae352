import Companion
import Foundation
import LibraryStore
import Tagging
import Testing
import TestSupport

@Suite struct LibrarySearchTests {
    private let data: TemporaryData
    private let library: LibraryStore

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        let tracks: [(String, TrackTags)] = [
            ("Beyoncé/Halo.mp3", Sample.tags("Halo", artist: "Beyoncé", album: "I Am")),
            ("x/100% Pure_Love.mp3", Sample.tags("100% Pure_Love", artist: "Crystal \"Waters\"", album: nil)),
            ("x/3.mp3", Sample.tags("NOT AND OR NEAR", artist: "AC/DC", album: "col:on (paren)*")),
            ("x/4.mp3", Sample.tags("夜に駆ける", artist: "YOASOBI", album: nil)),
            ("x/5.mp3", Sample.tags("Myth", artist: "!!!", album: nil)),
            ("x/6.mp3", Sample.tags("Something", artist: "Halo Band", album: nil)),
        ]
        let records = try tracks.enumerated().map { try Sample.record($1.0, hash: $0, tags: $1.1) }
        try library.record(records, isPresent: Sample.present)
    }

    private func found(_ text: String) throws -> [String?] {
        try library.tracks(matching: text).map(\.tags.title)
    }

    @Test(
        "Searches match words and never act as query syntax",
        arguments: [
            ("halo", ["Halo", "Something"]), ("HAL", ["Halo", "Something"]), ("beyonce halo", ["Halo"]),
            ("halo beyonce", ["Halo"]), ("Beyonce\u{301}", ["Halo"]), ("halo nothing", []),
            ("am i", ["Halo"]),
            ("AC/DC", ["NOT AND OR NEAR"]), ("not and", ["NOT AND OR NEAR"]), ("NOT", ["NOT AND OR NEAR"]),
            ("halo OR myth", []), ("\"", ["100% Pure_Love"]), ("\"waters\"", ["100% Pure_Love"]),
            ("waters\" OR \"halo", []), ("title:halo", []), ("-halo", ["Halo", "Something"]),
            ("col:on (paren)*", ["NOT AND OR NEAR"]), ("*", ["NOT AND OR NEAR"]), ("%", ["100% Pure_Love"]),
            ("_", ["100% Pure_Love"]), ("夜に", ["夜に駆ける"]), ("駆ける", ["夜に駆ける"]), ("!!!", ["Myth"]), ("", []),
            ("   ", []), ("\0", []), ("ha\0lo", ["Halo", "Something"]), ("x/5.mp3", ["Myth"]), ("\\", []),
            ("yth", ["Myth"]), ("'; DROP TABLE tracks; --", []),
        ])
    func wordsAreData(text: String, expected: [String]) throws {
        #expect(try found(text) == expected)
    }

    @Test("Long searches and limits work")
    func longSearchesAndLimits() throws {
        #expect(try found(String(repeating: "halo ", count: 10_000)) == ["Halo", "Something"])
        #expect(try found(String(repeating: "x", count: 100_000)) == [])
        #expect(try library.tracks(matching: "halo", limit: 1).count == 1)
        #expect(try library.tracks(matching: "halo", limit: 0).isEmpty)
    }

    @Test("The index follows changes of tracks")
    func theIndexFollowsChanges() throws {
        let path = try Sample.path("Beyoncé/Halo.mp3")
        try library.record(
            [
                Sample.record(
                    "Beyoncé/Halo.mp3", hash: 0, size: 2,
                    tags: Sample.tags("Renamed", artist: "Beyoncé", album: "I Am"))
            ],
            isPresent: Sample.present)
        #expect(try found("renamed") == ["Renamed"])
        #expect(try found("beyonce halo") == ["Renamed"])
        #expect(try library.track(path: path)?.track.tags.title == "Renamed")
        // The index's own check confirms that it matches the table.
        let check = try sqlite3Tool(
            data.folder.libraryDatabase,
            "INSERT INTO tracks_fts (tracks_fts, rank) VALUES ('integrity-check', 1)"
        ).output
        #expect(check == "")
    }
}
