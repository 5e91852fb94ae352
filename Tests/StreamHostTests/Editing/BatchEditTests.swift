import Analyzer
import Companion
import Foundation
import LibraryStore
import StreamHost
import Synchronization
import Testing
import TestSupport

@Suite("Batch edits of tags over HTTP", .timeLimit(.minutes(30)))
struct BatchEditTests {
    private static func album(_ name: String, _ number: Int, _ seed: UInt64) throws -> (String, [UInt8]) {
        let tags = ["--id3v2-only", "--tl", name, "--ta", "Artist \(number)", "--tn", "\(number)"]
        return ("\(name)/\(number).mp3", try TaggedMusic.bytes(seed, tags))
    }

    @Test("Setting one album artist on several albums returns a result per file and merges the albums")
    func sameForAll() async throws {
        let files = try [
            Self.album("One", 1, 11), Self.album("One", 2, 12), Self.album("Two", 1, 13),
            Self.album("Three", 1, 14),
        ]
        try await ServedLibrary.with(files, parts: .profile) { served in
            let ids = try files.map { try served.id($0.0) }
            func albumID(_ id: Int) throws -> Int {
                try #require(try served.library.track(id: id)?.track.albumID)
            }
            let audio = try await served.audio("One/1.mp3")
            let answer = try await served.send(
                "PATCH", "/batch-edit-metadata",
                [
                    "changes": ["album_artist": "The Artists"],
                    "album_ids": [try albumID(ids[0]), 9_999],
                    "relative_paths": ["Two/1.mp3", "none.mp3", "../x"],
                    "track_ids": [ids[2], 777],
                ])
            #expect(answer.status == 200, "\(answer.text)")
            let results = try answer.results()
            for (name, id) in [("One/1.mp3", ids[0]), ("One/2.mp3", ids[1]), ("Two/1.mp3", ids[2])] {
                #expect(results[name]?["status"] as? Int == 200 && results[name]?["changed"] as? Bool == true)
                #expect(results[name]?["id"] as? Int == id)
                #expect(try await served.ffprobe(name)["album_artist"] == "The Artists")
            }
            #expect(
                results["none.mp3"]?["status"] as? Int == 404 && results["../x"]?["status"] as? Int == 404)
            #expect(try answer.json("changed_count") as? Int == 3 && answer.json("failed_count") as? Int == 4)
            #expect(try await served.ffprobe("Three/1.mp3")["album_artist"] == nil)
            #expect(try await served.audio("One/1.mp3") == audio)
            // One album, with a single album loudness.
            let album = try await served.get("/api/albums/\(try albumID(ids[0]))")
            #expect(try album.json("artist") as? String == "The Artists")
            #expect(
                try album.json("track_count") as? Int == 2 && album.json("integrated_lufs") as? Double != nil)
        }
    }

    @Test("Individual edits: a failure does not affect the others, and an outdated ETag is rejected")
    func ownEdits() async throws {
        let files = try [Self.album("A", 1, 15), Self.album("A", 2, 16), Self.album("A", 3, 17)]
        try await ServedLibrary.with(files, parts: .profile) { served in
            let etag = try #require(
                try await served.get("/edit-metadata?relative_path=A/1.mp3").json("etag") as? String)
            let before = try served.bytes("A/2.mp3")
            chmod(served.file("A/2.mp3"), 0o444)
            let answer = try await served.send(
                "PATCH", "/batch-edit-metadata",
                [
                    "edits": [
                        ["relative_path": "A/1.mp3", "title": "first", "etag": etag],
                        ["relative_path": "A/1.mp3", "title": "second", "etag": etag],
                        ["relative_path": "A/2.mp3", "title": "x"],
                        ["relative_path": "A/3.mp3", "album": NSNull()],
                        ["relative_path": "A/3.mp3", "artist": "Artist 3"],
                    ]
                ])
            let list = try #require(try answer.json("results") as? [[String: Any]])
            #expect(list.map { $0["status"] as? Int } == [200, 412, 403, 200, 200])
            #expect((list[2]["error"] as? [String: Any])?["code"] as? String == "read_only")
            #expect(list[4]["changed"] as? Bool == false)
            #expect(try answer.json("unchanged_count") as? Int == 1)
            #expect(try await served.ffprobe("A/1.mp3")["title"] == "first")
            #expect(try served.bytes("A/2.mp3") == before)
            #expect(try await served.ffprobe("A/3.mp3")["album"] == nil)
        }
    }

    @Test("Errors that concern all files are reported before the first file is changed")
    func wrongForAll() async throws {
        try await ServedLibrary.with([try Self.album("A", 1, 18)], parts: .profile) { served in
            let before = try served.bytes("A/1.mp3")
            for (content, status, code) in [
                (["changes": ["year": 0], "track_ids": [1]], 422, "invalid_value"),
                (["changes": ["yaer": 5], "track_ids": [1]], 400, "unknown_field"),
                (["changes": [:], "track_ids": [1]], 422, "no_changes"),
                (["track_ids": [1]], 422, "no_changes"),
                (["changes": ["year": 5]], 422, "nothing_selected"), ([:], 422, "nothing_selected"),
                (["edits": [["relative_path": "A/1.mp3", "titel": "x"]]], 400, "unknown_field"),
                (["edits": [["title": "x"]]], 422, "one_file_expected"),
                (["edits": [["id": 1, "title": "x"], ["id": 1, "year": 0]]], 422, "invalid_value"),
                (["changes": ["year": 5], "track_ids": [0]], 422, "invalid_field"),
                (["edits": Array(repeating: ["id": 1, "title": "x"], count: 2_001)], 422, "too_many_items"),
                (["edits": "x"], 422, "invalid_field"),
            ] as [([String: Any], Int, String)] {
                let answer = try await served.send("PATCH", "/batch-edit-metadata", content)
                #expect(answer.status == status && answer.errorCode == code, "\(code): \(answer.text)")
            }
            #expect(try served.bytes("A/1.mp3") == before)
        }
    }
}
