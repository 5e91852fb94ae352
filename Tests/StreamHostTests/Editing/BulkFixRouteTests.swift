import Analyzer
import Companion
import Foundation
import MusicFiles
import Testing
import TestSupport

@Suite("Fixes of tags over HTTP", .timeLimit(.minutes(30)))
struct BulkFixRouteTests {
    private static let allFixes = TagFix.allCases.map(\.rawValue)

    /// A library with one file for each defect, and sound files as well.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        var seed: UInt64 = 30
        func add(_ name: String, _ texts: [(String, String)]) throws {
            seed += 1
            files.append((name, TaggedMusic.foreignTag(texts) + (try TaggedMusic.bytes(seed, seconds: 2))))
        }
        for (number, artist) in ["A", "B", "C"].enumerated() {
            try add(
                "hits/\(number + 1).mp3",
                [("TALB", "Hits"), ("TPE1", artist), ("TPE2", artist), ("TRCK", "\(number + 1)")])
        }
        try add("space.mp3", [("TIT2", "  padded\t"), ("TPE1", "Somebody "), ("TCON", "Jazz")])
        // "Группа крови" and "Кино" in Windows-1251.
        try add("kino.mp3", [("TALB", "Ãðóïïà êðîâè"), ("TPE1", "Êèíî"), ("TPE2", "X"), ("TRCK", "1")])
        for (number, year) in ["1999", "1999", "2011"].enumerated() {
            try add(
                "years/\(number).mp3",
                [("TALB", "Years"), ("TPE1", "Y"), ("TPE2", "Y"), ("TYER", year), ("TRCK", "\(number + 1)")])
        }
        try add("missing/1.mp3", [("TALB", "Missing"), ("TPE1", "M"), ("TPE2", "M"), ("TRCK", "1")])
        try add("missing/2.mp3", [("TALB", "Missing"), ("TPE1", "M feat. N"), ("TRCK", "2")])
        try add("sound.mp3", [("TIT2", "Motörhead"), ("TPE1", "Café")])
        let v1 = ["--id3v1-only", "--tt", "Old", "--ta", "Timer", "--ty", "1985"]
        files.append(("v1.mp3", try TaggedMusic.bytes(29, v1, seconds: 2)))
        return files
    }

    @Test("A dry run lists all changes; a real run makes them and leaves nothing to fix")
    func allFixes() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            // A dry run is the default.
            let shown = try await served.send("POST", "/bulk-fix", ["fixes": Self.allFixes, "all": true])
            #expect(try shown.status == 200 && shown.json("dry_run") as? Bool == true, "\(shown.text)")
            #expect(try shown.json("examined_count") as? Int == files.count)
            #expect(try shown.json("cursor") == nil)
            for file in files { #expect(try [UInt8](served.bytes(file.name)) == file.bytes, "\(file.name)") }
            let planned = try shown.results()
            func changes(_ name: String) -> [[String]] {
                (planned[name]?["changes"] as? [[String: Any]] ?? []).map { change in
                    ["fix", "field", "before", "after"].map { change[$0] as? String ?? "-" }
                }
            }
            for (number, artist) in ["A", "B", "C"].enumerated() {
                #expect(
                    changes("hits/\(number + 1).mp3") == [
                        ["split_compilations", "album_artist", artist, "Various Artists"],
                        ["split_compilations", "is_compilation", "false", "true"],
                    ])
            }
            #expect(
                changes("space.mp3") == [
                    ["trim_white_space", "title", "  padded\t", "padded"],
                    ["trim_white_space", "artist", "Somebody ", "Somebody"],
                ])
            #expect(
                changes("kino.mp3") == [
                    ["mojibake", "artist", "Êèíî", "Кино"],
                    ["mojibake", "album", "Ãðóïïà êðîâè", "Группа крови"],
                ])
            #expect(changes("years/2.mp3") == [["inconsistent_years", "year", "2011", "1999"]])
            #expect(changes("missing/2.mp3") == [["missing_album_artist", "album_artist", "-", "M"]])
            #expect(changes("v1.mp3") == [["id3v1_to_id3v2", "tags", "ID3v1", "ID3v1 and ID3v2.4"]])
            #expect(planned.count == 8)

            var audio: [String: String] = [:]
            for file in files { audio[file.name] = try await served.audio(file.name) }
            let done = try await served.send(
                "POST", "/bulk-fix", ["fixes": Self.allFixes, "dry_run": false, "all": true])
            #expect(try done.json("changed_count") as? Int == 8 && done.json("failed_count") as? Int == 0)
            for (name, key, value) in [
                ("hits/1.mp3", "TPE2", "Various Artists"), ("hits/3.mp3", "TCMP", "1"),
                ("space.mp3", "TIT2", "padded"), ("space.mp3", "TCON", "Jazz"), ("kino.mp3", "TPE1", "Кино"),
                ("kino.mp3", "TALB", "Группа крови"), ("years/2.mp3", "TYER", "1999"),
                ("missing/2.mp3", "TPE2", "M"), ("v1.mp3", "TIT2", "Old"), ("v1.mp3", "TDRC", "1985"),
                ("v1.mp3", "version", "2.4"), ("hits/1.mp3", "version", "2.3"),
            ] {
                let frames = try await TagWitness.frames(of: served.file(name))
                #expect(frames[key] == value, "\(name) \(key)")
                if name != "v1.mp3" { #expect(frames["TXXX:mood"] == "blue") }
            }
            for file in files {
                let now = try await served.audio(file.name)
                #expect(now == audio[file.name], "\(file.name)")
            }
            #expect(try [UInt8](served.bytes("sound.mp3")) == files.first { $0.name == "sound.mp3" }?.bytes)
            // The catalogue now has one album instead of three.
            let albums = try await served.get("/api/albums?q=Hits")
            #expect(try albums.json("total") as? Int == 1)
            let again = try await served.send(
                "POST", "/bulk-fix", ["fixes": Self.allFixes, "dry_run": false, "all": true])
            #expect(try again.json("changed_count") as? Int == 0 && again.results().isEmpty, "\(again.text)")
        }
    }

    @Test("Paging covers all tracks, lists restrict the selection, invalid requests are rejected")
    func pages() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            var names: [String] = []
            var cursor = 0
            var pageCount = 0
            repeat {
                let page = try await served.send(
                    "POST", "/bulk-fix", ["fixes": Self.allFixes, "cursor": cursor, "limit": 5, "all": true])
                names += try page.results().keys
                #expect(try page.json("examined_count") as? Int ?? 99 <= 5)
                cursor = try page.json("cursor") as? Int ?? 0
                pageCount += 1
            } while cursor != 0 && pageCount < 10
            #expect(pageCount == 3 && names.count == 8 && Set(names).count == 8)
            let one = try await served.send(
                "POST", "/bulk-fix",
                [
                    "fixes": ["trim_white_space"], "relative_paths": ["space.mp3", "../x", "v1.mp3"],
                    "dry_run": false,
                ])
            #expect(try Set(one.results().keys) == ["space.mp3", "../x"])
            #expect(try one.json("examined_count") as? Int == 2)
            let nothing = try await served.send(
                "POST", "/bulk-fix", ["fixes": ["mojibake"], "relative_paths": ["../x"]])
            #expect(try nothing.json("examined_count") as? Int == 0)
            for (content, status) in [
                (["fixes": ["mojibake"], "track_ids": []], 422),
                (["fixes": ["mojibake"], "track_ids": NSNull()], 422),
                (["fixes": ["everything"]], 422), (["fixes": []], 422), ([:], 400),
                (["fixes": ["mojibake"], "limit": 0, "all": true], 422),
                (["fixes": ["mojibake"], "dryrun": true], 400), (["fixes": ["mojibake"]], 422),
                (["fixes": ["mojibake"], "dry_run": false], 422),
                (["fixes": ["mojibake"], "all": true, "track_ids": [1]], 422),
                (["fixes": ["mojibake"], "track_ids": Array(1...10_001)], 422),
            ] as [([String: Any], Int)] {
                #expect(
                    try await served.send("POST", "/bulk-fix", content).status == status, "\(content.keys)")
            }
        }
    }
}
