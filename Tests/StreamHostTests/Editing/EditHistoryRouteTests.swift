import Analyzer
import Companion
import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import Tagging
import Testing
import TestSupport

/// The history of edits over HTTP with curl; ffprobe verifies the files.
@Suite("History of edits over HTTP", .timeLimit(.minutes(30)))
struct EditHistoryRouteTests {
    private static let former = [("TIT2", "Old"), ("TPE1", "Somebody"), ("TYER", "1990"), ("TCOM", "Ö; P")]

    private static func files(_ names: String...) throws -> [(name: String, bytes: [UInt8])] {
        try names.enumerated().map { index, name in
            (name, TaggedMusic.foreignTag(former) + (try TaggedMusic.bytes(UInt64(80 + index), seconds: 2)))
        }
    }

    /// The first bytes of a JPEG file, which is all that tags look at.
    private static func picture(_ number: UInt8) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0, number] }

    private func edits(_ served: ServedLibrary) async throws -> [[String: Any]] {
        let page = try await served.get("/edits")
        #expect(page.status == 200, "\(page.text)")
        let items = try #require(try page.json("items") as? [[String: Any]])
        #expect(try page.json("total") as? Int == items.count)
        return items
    }

    private func undo(_ id: Int, _ served: ServedLibrary) async throws -> ServedLibrary.Answer {
        try await served.send("POST", "/edits/\(id)/undo", [:])
    }

    @Test(
        "An edit of several files is undone as a whole: values, removed fields and the cover; the audio stays"
    )
    func undoing() async throws {
        try await ServedLibrary.with(try Self.files("1.mp3", "2.mp3"), parts: .profile) { served in
            let before = [try await served.ffprobe("1.mp3"), try await served.ffprobe("2.mp3")]
            let audio = try await served.audio("1.mp3")
            #expect(try await edits(served).isEmpty)
            let changes: [String: Any] = [
                "title": "New", "year": NSNull(), "genre": "Dub", "track_number": 3, "is_compilation": true,
                "composer": NSNull(), "cover": Data(Self.picture(1)).base64EncodedString(),
            ]
            let answer = try await served.send(
                "PATCH", "/batch-edit-metadata",
                ["changes": changes, "relative_paths": ["1.mp3", "2.mp3", "none.mp3"]])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await served.ffprobe("2.mp3")["title"] == "New")
            let id = try #require(try answer.json("edit_id") as? Int)
            let edit = try #require(try await edits(served).first)
            #expect(edit["edit_id"] as? Int == id && edit["kind"] as? String == "edit")
            #expect(
                edit["fields"] as? [String] == [
                    "title", "track_number", "year", "genre", "composer", "cover", "is_compilation",
                ])
            #expect(edit["file_count"] as? Int == 2 && edit["failed_count"] as? Int == 0)
            let made = try #require(edit["made_at"] as? Double)
            #expect(abs(made - Date().timeIntervalSince1970) < 3_600)
            let names = (edit["files"] as? [[String: Any]])?.compactMap { $0["relative_path"] as? String }
            #expect(names == ["1.mp3", "2.mp3"])

            let undone = try await undo(id, served)
            #expect(try undone.status == 200 && undone.json("changed_count") as? Int == 2, "\(undone.text)")
            #expect(try await [served.ffprobe("1.mp3"), served.ffprobe("2.mp3")] == before)
            #expect(try await served.audio("1.mp3") == audio)
            let metadata = try await served.get("/edit-metadata?relative_path=1.mp3")
            #expect(try metadata.json("has_cover") as? Bool == false)
            #expect(
                try await served.get("/api/tracks/\(served.id("1.mp3"))").json("title") as? String == "Old")
            #expect(try await edits(served).isEmpty)
            let again = try await undo(id, served)
            #expect(again.status == 404 && again.errorCode == "no_such_edit")
        }
    }

    @Test("A replaced cover comes back, byte for byte")
    func cover() async throws {
        try await ServedLibrary.with(try Self.files("1.mp3"), parts: .profile) { served in
            let (first, second) = (Self.picture(1), Self.picture(2))
            for picture in [first, second] {
                let answer = try await served.edit([
                    "relative_path": "1.mp3", "cover": Data(picture).base64EncodedString(),
                ])
                #expect(answer.status == 200, "\(answer.text)")
            }
            let latest = try #require(try await edits(served).first?["edit_id"] as? Int)
            #expect(try await undo(latest, served).json("changed_count") as? Int == 1)
            #expect(try EmbeddedCover.read(from: served.file("1.mp3"))?.data == first)
        }
    }

    @Test("A file that was changed since is left as it is, with the reason; the others are restored")
    func changedSince() async throws {
        try await ServedLibrary.with(try Self.files("1.mp3", "2.mp3"), parts: .profile) { served in
            let answer = try await served.send(
                "PATCH", "/batch-edit-metadata",
                ["changes": ["title": "New"], "relative_paths": ["1.mp3", "2.mp3"]])
            let id = try #require(try answer.json("edit_id") as? Int)
            // By another program.
            try await ProcessRun.aside("touch", [served.file("1.mp3")])
            let undone = try await undo(id, served)
            #expect(try undone.json("changed_count") as? Int == 1 && undone.json("failed_count") as? Int == 1)
            #expect(try await served.ffprobe("1.mp3")["title"] == "New")
            #expect(try await served.ffprobe("2.mp3")["title"] == "Old")
            let left = try #require(try await edits(served).first)
            #expect(left["file_count"] as? Int == 1 && left["failed_count"] as? Int == 1)
            let file = try #require((left["files"] as? [[String: Any]])?.first)
            #expect(file["relative_path"] as? String == "1.mp3")
            #expect(file["failure"] as? String == "The file has changed since.")
            #expect(file["failure_code"] as? String == "state_differs")
            #expect(try await served.send("DELETE", "/edits/\(id)", [:]).status == 204)
            #expect(try await edits(served).isEmpty)
            #expect(try await served.ffprobe("1.mp3")["title"] == "New")
            #expect(try await served.send("DELETE", "/edits/\(id)", [:]).errorCode == "no_such_edit")
        }
    }

    @Test("Edits of one file are undone one after the other, the latest first")
    func order() async throws {
        try await ServedLibrary.with(try Self.files("1.mp3"), parts: .profile) { served in
            for title in ["A", "B", "C"] {
                _ = try await served.edit(["relative_path": "1.mp3", "title": title])
            }
            let ids = try await edits(served).compactMap { $0["edit_id"] as? Int }
            #expect(ids.count == 3 && ids == ids.sorted(by: >))
            // The first is not in the state that it left behind.
            #expect(try await undo(ids[2], served).json("failed_count") as? Int == 1)
            for (id, title) in zip(ids, ["B", "A", "Old"]) {
                #expect(try await undo(id, served).json("changed_count") as? Int == 1)
                #expect(try await served.ffprobe("1.mp3")["title"] == title)
            }
            #expect(try await edits(served).isEmpty)
        }
    }

    @Test("Fixes and measurements are in the history; several requests may be one edit")
    func otherKinds() async throws {
        let files = ["1.mp3", "2.mp3"].enumerated().map { index, name in
            (
                name: name,
                bytes: TaggedMusic.foreignTag([
                    ("TIT2", "Bjork"), ("TALB", "Hits"), ("TRCK", "\(index + 1)"), ("TPE1", "A\(index)"),
                    ("TPE2", "A\(index)"),
                ])
            )
        }
        let music = try files.enumerated().map {
            ($1.name, $1.bytes + (try TaggedMusic.bytes(UInt64(90 + $0), seconds: 4)))
        }
        try await ServedLibrary.with(music, parts: .profile) { served in
            var id: Int?
            for name in ["1.mp3", "2.mp3"] {
                var body: [String: Any] = [
                    "fixes": ["split_compilations", "trim_white_space"], "relative_paths": [name],
                    "dry_run": false,
                ]
                body["edit_id"] = id
                let answer = try await served.send("POST", "/bulk-fix", body)
                id = try #require(try answer.json("edit_id") as? Int, "\(answer.text)")
            }
            let gains = try await served.send(
                "POST", "/replaygain", ["all": true, "bpm": true, "dry_run": false])
            #expect(try gains.json("edit_id") != nil, "\(gains.text)")
            let all = try await edits(served)
            #expect(all.map { $0["kind"] as? String } == ["measurements", "fix"])
            #expect(all.map { $0["file_count"] as? Int } == [2, 2])
            // Only fixes that changed something.
            #expect(all.last?["fixes"] as? [String] == ["split_compilations"])
            for each in all {
                let undone = try await undo(try #require(each["edit_id"] as? Int), served)
                #expect(try undone.json("changed_count") as? Int == 2, "\(undone.text)")
            }
            let tags = try await served.ffprobe("2.mp3")
            #expect(tags["album_artist"] == "A1" && tags["compilation"] == nil)
            #expect(tags.keys.allSatisfy { !$0.lowercased().hasPrefix("replaygain") })
            for invalid in [NSNull(), 0, "1", 1.5] as [Any] {
                let answer = try await served.send(
                    "POST", "/replaygain", ["all": true, "dry_run": false, "edit_id": invalid])
                #expect(answer.status == 422 || answer.status == 400, "\(invalid): \(answer.text)")
            }
            // Dry runs and edits that change nothing are not recorded.
            _ = try await served.send("POST", "/replaygain", ["all": true])
            _ = try await served.edit(["relative_path": "1.mp3", "title": "Bjork"])
            #expect(try await edits(served).isEmpty)
        }
    }

    @Test("The history outlives the host, and is not in the database that clients download")
    func storage() async throws {
        try await ServedLibrary.with(try Self.files("1.mp3"), parts: .profile) { served in
            _ = try await served.edit(["relative_path": "1.mp3", "title": "New"])
            let history = try EditHistory(served.data)
            #expect(try history.page(limit: 10, offset: 0).items.first?.fields == ["title"])
            let directory = try TemporaryDirectory()
            let copy = try directory.write(try await served.get("/db").body, as: "copy.sqlite")
            let tables = try sqlite3Tool(copy, "SELECT name FROM sqlite_schema").output.split(separator: "\n")
            #expect(tables.contains("tracks") && !tables.contains { $0.hasPrefix("edit") })
        }
    }
}
