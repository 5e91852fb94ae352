import Analyzer
import Companion
import Foundation
import HTTPServer
import LibraryStore
import Tagging
import Testing
import TestSupport

/// Edits over HTTP with curl; ffprobe, ffmpeg and mutagen verify the edited files.
@Suite("Tags over HTTP", .timeLimit(.minutes(30)))
struct MetadataRouteTests {
    @Test("All fields can be set; file, catalogue, search and database are updated at once")
    func allFields() async throws {
        let file =
            TaggedMusic.foreignTag([("TIT2", "old title"), ("TYER", "1990")]) + (try TaggedMusic.bytes(1))
        try await ServedLibrary.with([("a/1.mp3", file)], parts: .profile) { served in
            let id = try served.id("a/1.mp3")
            let audio = try await served.audio("a/1.mp3")
            let framesBefore = try await TagWitness.frames(of: served.file("a/1.mp3"))
            let before = try await served.get("/edit-metadata?relative_path=a/1.mp3")
            #expect(try before.json("title") as? String == "old title" && before.json("id") as? Int == id)
            #expect(try before.json("year") as? Int == 1990)
            #expect(try before.json("tag_kinds") as? [String] == ["ID3v2"])
            #expect(try "\"\(before.json("etag") as? String ?? "")\"" == before.field("ETag"))
            _ = try await served.get("/db")

            let answer = try await served.edit([
                "relative_path": "a/1.mp3", "title": "Tïtle 🎺", "artist": "Artist", "album": "Album",
                "album_artist": "Album Artist", "track_number": 3, "track_total": 12, "disc_number": 1,
                "disc_total": 2, "year": 1973, "genre": "Jazz", "comment": "one\ntwo", "composer": "作曲家",
                "is_compilation": true,
            ])
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.json("title") as? String == "Tïtle 🎺" && answer.json("id") as? Int == id)
            let tags = try await served.ffprobe("a/1.mp3")
            #expect(tags["title"] == "Tïtle 🎺" && tags["artist"] == "Artist" && tags["album"] == "Album")
            #expect(
                tags["album_artist"] == "Album Artist" && tags["track"] == "3/12" && tags["disc"] == "1/2")
            #expect(tags["date"] == "1973" && tags["genre"] == "Jazz" && tags["composer"] == "作曲家")
            #expect(tags["compilation"] == "1")
            #expect(try await served.audio("a/1.mp3") == audio)
            let frames = try await TagWitness.frames(of: served.file("a/1.mp3"))
            #expect(frames["version"] == "2.3" && frames["COMM::eng"] == "one\ntwo")
            let foreign = framesBefore.filter { $0.key != "TIT2" && $0.key != "TYER" }
            #expect(foreign.count >= 6)
            for (key, value) in foreign { #expect(frames[key] == value, "\(key)") }

            let track = try await served.get("/api/tracks/\(id)")
            #expect(try track.json("title") as? String == "Tïtle 🎺" && track.json("year") as? Int == 1973)
            let found = try await served.get("/api/tracks?q=t%C3%AFtle")
            #expect(try found.json("total") as? Int == 1)
            let directory = try TemporaryDirectory()
            let copy = try directory.write(try await served.get("/db").body, as: "copy.sqlite")
            let rows = try sqlite3Tool(copy, "SELECT id, title, album_artist, track_total FROM tracks").output
            #expect(rows == "\(id)|Tïtle 🎺|Album Artist|12\n")
            // A scan has nothing to do.
            let summary = try await served.pass()
            #expect(summary.unchangedCount == 1 && summary.analyzedCount == 0)
            #expect(try served.id("a/1.mp3") == id)

            // Null removes a field; omitted fields stay unchanged.
            let removed = try await served.edit(["id": id, "title": NSNull(), "track_total": NSNull()])
            #expect(removed.status == 200)
            #expect(try removed.json("title") == nil && removed.json("track_number") as? Int == 3)
            let left = try await served.ffprobe("a/1.mp3")
            #expect(left["title"] == nil && left["track"] == "3" && left["artist"] == "Artist")
        }
    }

    @Test("An edit with an outdated ETag is rejected, whichever response the ETag came from")
    func conditions() async throws {
        try await ServedLibrary.with([("1.mp3", try TaggedMusic.bytes(2))], parts: .profile) { served in
            let id = try served.id("1.mp3")
            let track = try #require(try await served.get("/api/tracks/\(id)").field("ETag"))
            let own = try #require(try await served.get("/edit-metadata?id=\(id)").field("ETag"))
            let first = try await served.edit(["id": id, "title": "a"], ["-H", "If-Match: \(track)"])
            #expect(first.status == 200)
            let now = try served.bytes("1.mp3")
            for tag in [track, own, "\"c1-other\"", "\"\"", "garbage", "\(track), \(own)"] {
                let late = try await served.edit(["id": id, "title": "b"], ["-H", "If-Match: \(tag)"])
                #expect(late.status == 412 && late.errorCode == "state_differs", "\(tag)")
            }
            #expect(try await served.edit(["id": id, "title": "b", "etag": "e1-1-1"]).status == 412)
            #expect(try served.bytes("1.mp3") == now)
            // The ETag of an edit's response can be used for the next edit; so can a list of ETags, and a
            // star.
            let tag = try #require(first.field("ETag"))
            #expect(
                try await served.edit(["id": id, "title": "b"], ["-H", "If-Match: \(track), \(tag)"]).status
                    == 200)
            #expect(try await served.edit(["id": id, "title": "c"], ["-H", "If-Match: *"]).status == 200)
            // Changes by other programs count as well.
            let later = try #require(try await served.get("/edit-metadata?id=\(id)").field("ETag"))
            try await ProcessRun.aside("touch", [served.file("1.mp3")])
            #expect(
                try await served.edit(["id": id, "title": "d"], ["-H", "If-Match: \(later)"]).status == 412)
            #expect(try await served.ffprobe("1.mp3")["title"] == "c")
        }
    }

    @Test("Edits that are not possible are rejected and change nothing")
    func refusals() async throws {
        let music = try TaggedMusic.bytes(3)
        let outside = try TemporaryDirectory()
        let secret = try outside.write(music, as: "secret.mp3")
        let files = [
            ("1.mp3", music), ("text.mp3", Array("no music at all".utf8)), ("readonly.mp3", music),
            ("busy.mp3", music), ("note.txt", music), ("folder.mp3/x.mp3", music),
        ]
        try await ServedLibrary.with(files, parts: .profile) { served in
            try FileManager.default.createSymbolicLink(
                atPath: served.file("link.mp3"), withDestinationPath: secret)
            try FileManager.default.createSymbolicLink(
                atPath: served.file("out"), withDestinationPath: outside.path)
            chmod(served.file("readonly.mp3"), 0o444)
            let writer = try #require(FileHandle(forWritingAtPath: served.file("busy.mp3")))
            for (name, status, code) in [
                ("readonly.mp3", 403, "read_only"), ("busy.mp3", 409, "busy"), ("text.mp3", 422, "no_audio"),
                ("missing.mp3", 404, "no_such_track"), ("link.mp3", 404, "no_such_track"),
                ("out/secret.mp3", 404, "no_such_track"), ("../music/1.mp3", 404, "no_such_track"),
                ("./1.mp3", 404, "no_such_track"), (served.file("1.mp3"), 404, "no_such_track"),
                ("1.mp3\0", 404, "no_such_track"), ("", 404, "no_such_track"),
                ("note.txt", 404, "no_such_track"),
                ("folder.mp3", 404, "no_such_track"), ("%2e%2e/1.mp3", 404, "no_such_track"),
            ] {
                let answer = try await served.edit(["relative_path": name, "title": "changed"])
                #expect(answer.status == status && answer.errorCode == code, "\(name): \(answer.text)")
            }
            try writer.close()
            for name in ["1.mp3", "readonly.mp3", "busy.mp3", "note.txt"] {
                #expect(try [UInt8](served.bytes(name)) == music, "\(name)")
            }
            #expect(try outside.read("secret.mp3") == music)

            let long = String(repeating: "x", count: 1_000_000)
            for (field, value, status) in [
                ("title", "a\0b", 422), ("title", "", 422), ("title", "  ", 422), ("title", long, 422),
                ("comment", "a\u{1B}[31m", 422), ("year", 0, 422), ("year", 10_000, 422),
                ("track_number", -1, 422), ("cover", "@@@", 422), ("cover", "R0lGODlhAQ==", 422),
                ("year", "1999", 422), ("title", 5, 422), ("titel", "x", 400), ("title", ["x"], 422),
            ] as [(String, Any, Int)] {
                let answer = try await served.edit(["relative_path": "1.mp3", field: value])
                #expect(answer.status == status, "\(field): \(answer.text.prefix(300))")
                #expect(try answer.json("error", "field") as? String == field)
            }
            #expect(try await served.edit(["relative_path": "1.mp3"]).errorCode == "no_changes")
            #expect(try await served.edit(["title": "x"]).errorCode == "one_file_expected")
            let other = try served.id("busy.mp3")
            #expect(
                try await served.edit(["relative_path": "1.mp3", "id": other, "title": "x"]).status == 422)
            #expect(try await served.edit(["id": 999, "title": "x"]).errorCode == "no_such_track")
            let huge = ["relative_path": "1.mp3", "cover": String(repeating: "A", count: 25 << 20)]
            #expect(try await served.edit(huge).status == 413)
            #expect(try [UInt8](served.bytes("1.mp3")) == music)
            #expect(try await served.get("/edit-metadata?relative_path=link.mp3").status == 404)
        }
    }

    @Test(
        "Texts are stored and returned verbatim by every reader",
        arguments: [
            #"He said "no" and 'yes'; \ back"#, "<script>alert(1)</script>&amp;",
            "'); DROP TABLE tracks; --", "שלום \u{202E}abc\u{202C} عربي", "👩‍👩‍👧‍👦 🇺🇦 e\u{301}",
            "$(touch /tmp/x) `id` %s %n",
            "../../etc/passwd", "a; b; c", String(repeating: "é", count: 5_000),
        ])
    func texts(text: String) async throws {
        try await ServedLibrary.with([("1.mp3", try TaggedMusic.bytes(4))], parts: .profile) { served in
            let id = try served.id("1.mp3")
            let answer = try await served.edit(["id": id, "title": text, "artist": text, "album": text])
            #expect(answer.status == 200, "\(answer.text.prefix(300))")
            let frames = try await TagWitness.frames(of: served.file("1.mp3"))
            #expect(frames["TIT2"] == text && frames["TALB"] == text)
            let track = try await served.get("/api/tracks/\(id)")
            #expect(try track.json("title") as? String == text && track.json("artist") as? String == text)
            #expect(try served.library.track(id: id)?.track.tags.album == text)
            #expect(try served.library.trackCount() == 1)
        }
    }

    @Test("A cover can be set, replaced and removed, and is visible at once in all sizes")
    func covers() async throws {
        try await ServedLibrary.with([("1.mp3", try TaggedMusic.bytes(5))], parts: .profile) { served in
            let id = try served.id("1.mp3")
            let audio = try await served.audio("1.mp3")
            let directory = try TemporaryDirectory()
            var smallCovers: Set<[UInt8]> = []
            for (name, source) in [("a.png", "testsrc"), ("b.jpg", "rgbtestsrc")] {
                try await ProcessRun.aside(
                    "ffmpeg",
                    [
                        "-v", "error", "-f", "lavfi", "-i", "\(source)=size=400x400", "-frames:v", "1",
                        directory.file(name),
                    ])
                let picture = try directory.read(name)
                let answer = try await served.edit([
                    "id": id, "cover": Data(picture).base64EncodedString(),
                ])
                #expect(try answer.status == 200 && answer.json("has_cover") as? Bool == true)
                let shown = try await served.get("/tracks/\(id)/cover")
                #expect(shown.body == picture)
                smallCovers.insert(try await served.get("/tracks/\(id)/cover?size=96").body)
                try await ProcessRun.aside(
                    "ffmpeg",
                    [
                        "-v", "error", "-y", "-i", served.file("1.mp3"), "-map", "0:v", "-c", "copy", "-f",
                        "image2", directory.file("out"),
                    ])
                #expect(try directory.read("out") == picture)
            }
            #expect(smallCovers.count == 2)
            let data = "data:image/png;base64,\(Data(try directory.read("a.png")).base64EncodedString())"
            #expect(try await served.edit(["id": id, "cover": data]).status == 200)
            let removed = try await served.edit(["id": id, "cover": NSNull()])
            #expect(try removed.json("has_cover") as? Bool == false)
            #expect(try await served.get("/tracks/\(id)/cover").status == 404)
            #expect(try await served.audio("1.mp3") == audio)
        }
    }

    @Test("Concurrent edits of one file all succeed; of those with the same If-Match, only one does")
    func together() async throws {
        try await ServedLibrary.with([("1.mp3", try TaggedMusic.bytes(6))], parts: .profile) { served in
            let id = try served.id("1.mp3")
            let audio = try await served.audio("1.mp3")
            let fields = ["title", "artist", "album", "album_artist", "genre", "composer", "comment"]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for field in fields {
                    group.addTask { try await served.edit(["id": id, field: "value of \(field)"]).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == fields.map { _ in 200 })
            let tags = try await served.ffprobe("1.mp3")
            for field in fields { #expect(tags[field] == "value of \(field)") }
            let tag = try #require(try await served.get("/api/tracks/\(id)").field("ETag"))
            let raced = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...6 {
                    group.addTask {
                        try await served.edit(["id": id, "title": "\(number)"], ["-H", "If-Match: \(tag)"])
                            .status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(raced.sorted() == [200, 412, 412, 412, 412, 412])
            #expect(try await served.audio("1.mp3") == audio)
        }
    }

    @Test("A file with other tags only gets ID3v2 with all of their values")
    func firstID3v2() async throws {
        let v1 = [
            "--id3v1-only", "--tt", "Title", "--ta", "Artist", "--tl", "Album", "--ty", "1999", "--tn", "4",
        ]
        try await ServedLibrary.with([("1.mp3", try TaggedMusic.bytes(7, v1))], parts: .profile) { served in
            #expect(try await TagWitness.frames(of: served.file("1.mp3")).isEmpty)
            #expect(try await served.edit(["relative_path": "1.mp3", "genre": "Jazz"]).status == 200)
            let frames = try await TagWitness.frames(of: served.file("1.mp3"))
            #expect(frames["version"] == "2.4" && frames["TIT2"] == "Title" && frames["TPE1"] == "Artist")
            #expect(frames["TALB"] == "Album" && frames["TDRC"] == "1999" && frames["TRCK"] == "4")
            #expect(frames["TCON"] == "Jazz")
        }
    }

    @Test(
        "Temporary files of killed edits are deleted soon after the next start; those in use are kept"
    )
    func leftovers() async throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"])
        let left = "Folder/.audio-companion-0123456789abcdef.tag-edit"
        let used = "Folder/.audio-companion-fedcba9876543210.tag-edit"
        // Lock the file as an edit does, then rename it.
        let directory = try TemporaryDirectory()
        let editing = open(try directory.write(bytes, as: "editing"), O_RDONLY | O_CLOEXEC)
        defer { close(editing) }
        #expect(flock(editing, LOCK_EX | LOCK_NB) == 0)
        let served = try await aside {
            try ServedLibrary(
                [("Folder/a.mp3", bytes)], parts: [],
                arrange: { folder in
                    try Data(bytes).write(to: URL(filePath: "\(folder)/\(left)"))
                    #expect(rename(directory.file("editing"), "\(folder)/\(used)") == 0)
                })
        }
        let end = ContinuousClock.now + .seconds(30)
        while FileManager.default.fileExists(atPath: served.file(left)), ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(!FileManager.default.fileExists(atPath: served.file(left)))
        #expect(FileManager.default.fileExists(atPath: served.file(used)))
        await served.shutdown()
    }
}
