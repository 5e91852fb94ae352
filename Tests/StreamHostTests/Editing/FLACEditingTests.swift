import Analyzer
import Companion
import Foundation
import MusicShared
import TestSupport
import Testing

/// Edits of FLAC files over HTTP; metaflac and flac verify the files.
@Suite("FLAC edits over HTTP", .timeLimit(.minutes(30)))
struct FLACEditingTests {
    private static func file(_ seed: UInt64, _ tags: [String] = []) throws -> [UInt8] {
        try IntegerSound.tones(frameCount: 44_100 * 4, seed: seed).flac(tags.flatMap { ["-T", $0] })
    }

    /// Returns the comments of a file, and verifies its audio by the MD5 in STREAMINFO.
    private func comments(_ served: ServedLibrary, _ name: String) async throws -> [String] {
        _ = try await ProcessRun.aside("flac", ["-ts", served.file(name)])
        let run = try await ProcessRun.aside(
            "metaflac", ["--no-utf8-convert", "--export-tags-to=-", served.file(name)])
        return run.text.split(separator: "\n").map(String.init)
    }

    @Test("Fields and cover are written; file, catalogue and search are updated at once")
    func metadata() async throws {
        let file = try Self.file(1, ["TITLE=old title", "MOOD=blue", "DATE=1990"])
        try await ServedLibrary.with([("a/1.flac", file)], parts: .profile) { served in
            let id = try served.id("a/1.flac")
            let before = try await served.get("/edit-metadata?id=\(id)")
            #expect(try before.json("title") as? String == "old title")
            #expect(try before.json("tag_kinds") as? [String] == ["Vorbis"])
            let etag = try #require(before.field("ETag"))
            let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 7]
            let answer = try await served.edit(
                [
                    "id": id, "title": "Tïtle 🎺", "track_number": 3, "track_total": 12, "year": NSNull(),
                    "is_compilation": true, "cover": Data(picture).base64EncodedString(),
                ], ["-H", "If-Match: \(etag)"])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.json("id") as? Int == id)
            #expect(
                try await comments(served, "a/1.flac") == [
                    "TITLE=Tïtle 🎺", "MOOD=blue", "TRACKNUMBER=3", "TRACKTOTAL=12", "COMPILATION=1",
                ])
            let found = try await served.get("/api/tracks?q=t%C3%AFtle")
            #expect(try found.json("total") as? Int == 1)
            let cover = try await served.get("/tracks/\(id)/cover")
            #expect(cover.status == 200 && cover.body == picture)
            let late = try await served.edit(["id": id, "title": "b"], ["-H", "If-Match: \(etag)"])
            #expect(late.status == 412 && late.errorCode == "state_differs")
            let summary = try await served.pass()
            #expect(summary.unchangedCount == 1 && summary.analyzedCount == 0)
            #expect(try served.id("a/1.flac") == id)
        }
    }

    @Test("An edit that moves the audio in the file does not change the streams")
    func streams() async throws {
        let file = try Self.file(4)
        func segment(_ served: ServedLibrary) async throws -> [UInt8] {
            let answer = try await served.get("/tracks/\(try served.id("1.flac"))/segments/0.mp3")
            #expect(answer.status == 200, "\(answer.text)")
            return answer.body
        }
        var unedited: [UInt8] = []
        try await ServedLibrary.with([("1.flac", file)], parts: .profile) { unedited = try await segment($0) }
        try await ServedLibrary.with([("1.flac", file)], parts: .profile) { served in
            let id = try served.id("1.flac")
            let picture = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 50_000))
            let answer = try await served.edit(["id": id, "cover": picture.base64EncodedString()])
            #expect(answer.status == 200, "\(answer.text)")
            let bytes = [UInt8](try served.bytes("1.flac"))
            #expect(bytes.count > file.count + 40_000)
            #expect(try await segment(served) == unedited && !unedited.isEmpty)
            let original = try await served.get("/api/files/\(id)/stream")
            #expect(original.status == 200 && original.body == bytes)
        }
    }

    @Test("ReplayGain is written for an album of FLAC files; a second run has nothing to do")
    func replayGain() async throws {
        let files = try (1...2).map { number in
            (
                "b/\(number).flac",
                try Self.file(UInt64(number), ["ALBUM=B", "ARTIST=b", "TRACKNUMBER=\(number)"])
            )
        }
        try await ServedLibrary.with(files, parts: .profile) { served in
            let dry = try await served.send("POST", "/replaygain", ["all": true, "bpm": true])
            #expect(try dry.json("changed_count") as? Int == 2, "\(dry.text)")
            #expect(try [UInt8](served.bytes("b/1.flac")) == files[0].1)
            let run = try await served.send("POST", "/replaygain", ["all": true, "dry_run": false])
            #expect(try run.results().values.map { $0["outcome"] as? String } == ["written", "written"])
            for (name, _) in files {
                let comments = try await comments(served, name)
                for kind in ["TRACK", "ALBUM"] {
                    let gain = comments.filter { $0.hasPrefix("REPLAYGAIN_\(kind)_GAIN=") }
                    #expect(gain.first?.wholeMatch(of: /[A-Z_]+=-?[0-9]+\.[0-9]{2} dB/) != nil, "\(comments)")
                    let peak = comments.filter { $0.hasPrefix("REPLAYGAIN_\(kind)_PEAK=") }
                    #expect(peak.first?.wholeMatch(of: /[A-Z_]+=[0-9]\.[0-9]{6}/) != nil && peak.count == 1)
                }
            }
            let again = try await served.send("POST", "/replaygain", ["all": true, "dry_run": false])
            #expect(try again.json("changed_count") as? Int == 0)
            #expect(try again.results()["b/1.flac"]?["outcome"] as? String == "right", "\(again.text)")
        }
    }

    @Test("Fixes change FLAC files as they change MP3 files, and leave nothing to fix")
    func fixes() async throws {
        let id3v1 = Array("TAG".utf8) + Array("Old".utf8) + [UInt8](repeating: 0, count: 121) + [255]
        var bare = try #require(FLACMetadata(try Self.file(9)))
        bare.blocks.removeAll { $0.type == 4 }
        let files = [
            ("space.flac", try Self.file(8, ["TITLE=  padded\t", "ARTIST=A", "ARTIST= B"])),
            ("v1.flac", bare.bytes + id3v1),
        ]
        try await ServedLibrary.with(files, parts: .profile) { served in
            let fixes = ["trim_white_space", "id3v1_to_id3v2", "mojibake"]
            let shown = try await served.send("POST", "/bulk-fix", ["fixes": fixes, "all": true])
            let changes = try shown.results()["v1.flac"]?["changes"] as? [[String: Any]]
            #expect(changes?.first?["after"] as? String == "ID3v1 and Vorbis", "\(shown.text)")
            #expect(try [UInt8](served.bytes("v1.flac")) == files[1].1)
            let run = try await served.send(
                "POST", "/bulk-fix", ["fixes": fixes, "all": true, "dry_run": false])
            #expect(try run.json("changed_count") as? Int == 2, "\(run.text)")
            #expect(
                try await comments(served, "space.flac") == ["TITLE=padded", "ARTIST=A", "ARTIST= B"])
            let tags = try await ProcessRun.aside(
                "metaflac", ["--export-tags-to=-", served.file("v1.flac")])
            #expect(tags.text == "TITLE=Old\n")
            let again = try await served.send("POST", "/bulk-fix", ["fixes": fixes, "all": true])
            #expect(try again.results().isEmpty, "\(again.text)")
        }
    }

    @Test("Lyrics are written to the comment LYRICS; frames of ID3v2 are rejected with the field")
    func lyrics() async throws {
        try await ServedLibrary.with([("a.flac", try Self.file(3))], parts: []) { served in
            let path = "/lyrics?relative_path=a.flac"
            let content = ["lrc": "[00:01.00]One\n[00:02.00]Two"]
            let wrong = try await served.send("PUT", "\(path)&target=sylt", content)
            #expect(wrong.status == 422 && wrong.errorCode == "invalid_lyrics", "\(wrong.text)")
            #expect(try wrong.json("error", "field") as? String == "target")
            let written = try await served.send("PUT", "\(path)&target=comment", content)
            #expect(try written.status == 200 && written.json("source") as? String == "comment")
            let text = try await ProcessRun.aside("metaflac", ["--show-tag=LYRICS", served.file("a.flac")])
                .text
            #expect(text == "LYRICS=[00:01.00]One\n[00:02.00]Two\n")
            let read = try JSONDecoder().decode(TrackLyrics.self, from: Data(try await served.get(path).body))
            #expect(read.isSynced && read.lines.map(\.text) == ["One", "Two"] && read.source == .comment)
            let removed = try await served.get("\(path)&target=comment", ["-X", "DELETE"])
            #expect(removed.status == 204)
            #expect(try await comments(served, "a.flac").isEmpty)
        }
    }
}
