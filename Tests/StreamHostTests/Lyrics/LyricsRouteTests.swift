import Companion
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging
import Testing
import TestSupport

// Serialised, because each test changes files.
@Suite("Lyrics over HTTP", .serialized, .timeLimit(.minutes(30)))
struct LyricsRouteTests {
    private static func with(_ names: [String], _ body: (ServedLibrary) async throws -> Void) async throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"])
        try await ServedLibrary.with(names.map { ($0, bytes) }, parts: [], body)
    }

    private func put(
        _ served: ServedLibrary, _ path: String, _ json: String, _ fields: [String] = []
    ) async throws -> ServedLibrary.Answer {
        let directory = try TemporaryDirectory()
        let body = try directory.write(json.utf8, as: "body")
        return try await served.get(
            path,
            ["-X", "PUT", "-H", "Content-Type: application/json", "--data-binary", "@\(body)"]
                + fields.flatMap { ["-H", $0] })
    }

    private func lyrics(_ answer: ServedLibrary.Answer) throws -> TrackLyrics {
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(TrackLyrics.self, from: Data(answer.body))
    }

    private func lyrics(_ served: ServedLibrary, _ query: String = "") async throws -> TrackLyrics {
        try lyrics(try await served.get("/lyrics?relative_path=a.mp3\(query)"))
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Has mutagen write plain and synced lyrics in two languages.
    private static let tagging = """
        import sys
        from mutagen.id3 import ID3, USLT, SYLT, TIT2
        tags = ID3()
        tags.add(TIT2(encoding=3, text='Title'))
        tags.add(USLT(encoding=1, lang='deu', desc='', text='Erste Zeile\\nZweite ä'))
        tags.add(USLT(encoding=3, lang='eng', desc='lrc', text='[00:02.00]From a text'))
        tags.add(SYLT(encoding=int(sys.argv[2]), lang='eng', format=2, type=1, desc='', text=[('First é', 500), ('Second', 1500)]))
        tags.save(sys.argv[1], v2_version=int(sys.argv[3]))
        """

    /// Prints the lyrics that mutagen reads.
    private static let reading = """
        import sys, json
        from mutagen.id3 import ID3
        tags = ID3(sys.argv[1])
        print(json.dumps({k: ([list(e) for e in f.text] if k.startswith('SYLT') else f.text)
            for k, f in tags.items() if k[:4] in ('SYLT', 'USLT')}, sort_keys=True, ensure_ascii=False))
        """

    @Test(
        "The best lyrics are returned, and the others on request",
        arguments: [("3", "4"), ("1", "3")])
    func sources(encoding: String, version: String) async throws {
        try await Self.with(["a.mp3"]) { served in
            let none = try await served.get("/lyrics?relative_path=a.mp3")
            #expect(try none.status == 404 && none.json("error", "code") as? String == "no_lyrics")
            let id = try served.id("a.mp3")
            #expect(try await served.get("/tracks/\(id)/lyrics?missing=empty").status == 204)
            #expect(try await served.get("/tracks/\(id)/lyrics?missing=perhaps").status == 422)
            _ = try await PythonTools.run(Self.tagging, [served.file("a.mp3"), encoding, version])
            let timed = try await lyrics(served, "&all=true")
            #expect(timed.source == .sylt && timed.isSynced && timed.language == "eng")
            #expect(
                timed.lines.map(\.text) == ["First é", "Second"]
                    && timed.lines.map(\.startSeconds) == [0.5, 1.5])
            #expect(timed.alternatives?.map(\.source) == [.uslt, .uslt])
            #expect(timed.alternatives?.map(\.isSynced) == [true, false])
            #expect(timed.alternatives?.last?.lines.map(\.text) == ["Erste Zeile", "Zweite ä"])
            #expect(try await lyrics(served, "&source=uslt&language=deu").language == "deu")

            try write("just words", served.file("a.LRC"))
            #expect(try await lyrics(served).source == .sylt)
            #expect(try await lyrics(served, "&source=sidecar").isSynced == false)
            try write("[00:01.00]beside", served.file("a.LRC"))
            let beside = try await lyrics(served)
            #expect(beside.source == .sidecar && beside.file == "a.LRC")
            let byID = try await served.get("/tracks/\(id)/lyrics")
            #expect(try lyrics(byID) == beside)
            let tag = try #require(byID.field("ETag"))
            #expect(
                try await served.get("/tracks/\(id)/lyrics", ["-H", "If-None-Match: \(tag)"]).status == 304)
            try write("[00:02.00]beside", served.file("a.LRC"))
            #expect(
                try await served.get("/tracks/\(id)/lyrics", ["-H", "If-None-Match: \(tag)"]).status == 200)
        }
    }

    @Test(
        "LRC can be written and read as plain text",
        arguments: ["text/plain", "text/plain; charset=utf-8"])
    func rawText(type: String) async throws {
        try await Self.with(["a.mp3"]) { served in
            let text = "[ti:Tïtle]\n[offset:+100]\n[00:01.00]One\n[00:02.50]<00:02.50>Two <00:03.00>words\n"
            let directory = try TemporaryDirectory()
            let body = try directory.write(text.utf8, as: "body")
            let path = "/lyrics?relative_path=a.mp3"
            let written = try await served.get(
                path, ["-X", "PUT", "-H", "Content-Type: \(type)", "--data-binary", "@\(body)"])
            #expect(try lyrics(written).lines.map(\.text) == ["One", "Two words"])
            #expect(try String(contentsOfFile: served.file("a.lrc"), encoding: .utf8) == text)
            let id = try served.id("a.mp3")
            for address in ["\(path)&format=lrc", "/tracks/\(id)/lyrics?format=lrc"] {
                let raw = try await served.get(address)
                #expect(raw.status == 200 && raw.text == text)
                #expect(raw.field("Content-Type") == "text/plain; charset=utf-8")
                #expect(raw.field("ETag") == written.field("ETag"))
            }
            // Browsers and most programs accept any type, and get JSON.
            for accepted in [
                "*/*", "application/json, text/plain, */*", "text/html,application/xhtml+xml,*/*;q=0.8",
            ] {
                #expect(try lyrics(try await served.get(path, ["-H", "Accept: \(accepted)"])).isSynced)
            }
            let asked = try await served.get(path, ["-H", "Accept: text/plain"])
            #expect(asked.text == text)
            #expect(asked.field("Vary")?.lowercased().contains("accept") == true)
            #expect(try await lyrics(served, "&format=json").isSynced)
            #expect(try await served.get("\(path)&format=text").status >= 400)

            // Written to the tags and read back, where the source has no LRC text of its own.
            let tag = try #require(asked.field("ETag"))
            let embedded = try await served.get(
                "\(path)&target=sylt",
                [
                    "-X", "PUT", "-H", "Content-Type: \(type)", "-H", "If-Match: \(tag)", "--data-binary",
                    "@\(body)",
                ])
            #expect(embedded.status == 200, "\(embedded.text)")
            let rendered = try await served.get("\(path)&format=lrc&source=sylt").text
            #expect(rendered.contains("[00:00.90]One") || rendered.contains("[00:00.900]One"), "\(rendered)")
            try directory.write([0xFF, 0xFE, 0x41], as: "bad")
            let bad = try await served.get(
                path,
                ["-X", "PUT", "-H", "Content-Type: text/plain", "--data-binary", "@\(directory.file("bad"))"])
            #expect(bad.status == 422 || bad.status == 400)
            #expect(try String(contentsOfFile: served.file("a.lrc"), encoding: .utf8) == text)
        }
    }

    @Test(
        "Other programs can read lyrics written to tags, and the audio is unchanged", arguments: ["3", "4"])
    func tags(version: String) async throws {
        try await Self.with(["a.mp3"]) { served in
            _ = try await PythonTools.run(Self.tagging, [served.file("a.mp3"), "1", version])
            _ = try await aside {
                try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            }
            let before = try #require(try served.library.track(id: try served.id("a.mp3"))).track
            let lines =
                #"{"lines": [{"start_seconds": 0.25, "text": "新しい"}, {"start_seconds": 2, "end_seconds": 3, "text": "two"}]}"#
            let written = try await put(served, "/lyrics?relative_path=a.mp3", lines)
            #expect(try lyrics(written).source == .sylt)
            let plain = try await put(
                served, "/lyrics?relative_path=a.mp3&target=uslt", #"{"lrc": "neu\nö", "language": "deu"}"#,
                ["If-Match: \(try #require(written.field("ETag")))"])
            #expect(try lyrics(plain).lines.map(\.text) == ["neu", "ö"])
            let read = try await PythonTools.run(Self.reading, [served.file("a.mp3")])
            #expect(
                read.trimmingCharacters(in: .newlines)
                    == #"{"SYLT::eng": [["新しい", 250], ["two", 2000], ["", 3000]], "USLT::deu": "neu\nö", "USLT:lrc:eng": "[00:02.00]From a text"}"#
            )
            // The library has the file's new state: same audio, same title, no scan needed.
            let after = try #require(try served.library.track(id: try served.id("a.mp3"))).track
            #expect(
                after.audioHash == before.audioHash && after.tags.title == "Title"
                    && after.file != before.file)
            let summary = try await aside {
                try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            }
            #expect(summary.unchangedCount == 1)
            try await ProcessRun.aside(
                "ffmpeg", ["-v", "error", "-xerror", "-i", served.file("a.mp3"), "-f", "null", "-"])

            #expect(
                try await served.get(
                    "/lyrics?relative_path=a.mp3&target=uslt&language=deu", ["-X", "DELETE"]
                ).status == 200)
            #expect(
                try await served.get("/lyrics?relative_path=a.mp3&target=uslt", ["-X", "DELETE"]).status
                    == 204)
            #expect(try await served.get("/lyrics?relative_path=a.mp3", ["-X", "DELETE"]).status == 204)
            #expect(try await PythonTools.run(Self.reading, [served.file("a.mp3")]).hasPrefix("{}"))
        }
    }

    @Test(
        "An .lrc file can be created, shifted by 0.1 s and deleted, without temporary files left over"
    )
    func sidecar() async throws {
        try await Self.with(["a.mp3"]) { served in
            let made = try await put(
                served, "/lyrics?relative_path=a.mp3", #"{"lrc": "[ti:T]\n[00:10.00]é"}"#)
            #expect(try lyrics(made).source == .sidecar)
            var tag = try #require(made.field("ETag"))
            for (offset, start) in [("0.1", 9.9), ("0.2", 9.8), ("-0.1", 10.1), ("0", 10)] {
                let moved = try await put(
                    served, "/lyrics?relative_path=a.mp3", "{\"offset_seconds\": \(offset)}",
                    ["If-Match: \(tag)"])
                #expect(try lyrics(moved).lines.map(\.startSeconds) == [start])
                let stale = try await put(
                    served, "/lyrics?relative_path=a.mp3", #"{"offset_seconds": 1}"#, ["If-Match: \(tag)"])
                #expect(stale.status == 412)
                tag = try #require(moved.field("ETag"))
            }
            let text = try String(contentsOfFile: served.file("a.lrc"), encoding: .utf8)
            #expect(text == "[ti:T]\n[offset:0]\n[00:10.00]é")
            // Lines keep the LRC tags, and words are written as enhanced LRC.
            let words = #"""
                {"lines": [{"start_seconds": 1, "text": "", "words": [{"start_seconds": 1, "text": "Hel"},
                {"start_seconds": 1.5, "text": "lo"}]}], "offset_seconds": 0.5}
                """#
            let enhanced = try lyrics(try await put(served, "/lyrics?relative_path=a.mp3", words))
            #expect(enhanced.lines[0].text == "Hello" && enhanced.lines[0].words?[1].startSeconds == 1.5)
            #expect(
                try String(contentsOfFile: served.file("a.lrc"), encoding: .utf8)
                    == "[ti:T]\n[offset:+500]\n[00:01.50]<00:01.50>Hel<00:02.00>lo\n")
            #expect(
                try await served.get(
                    "/lyrics?relative_path=a.mp3", ["-X", "DELETE", "-H", "If-Match: \(tag)"]
                ).status == 412)
            #expect(try await served.get("/lyrics?relative_path=a.mp3", ["-X", "DELETE"]).status == 204)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: served.music.displayPath) == ["a.mp3"])
            #expect(try await served.get("/lyrics?relative_path=a.mp3", ["-X", "DELETE"]).status == 404)
        }
    }

    @Test("Shifting SYLT times requires If-Match")
    func moved() async throws {
        try await Self.with(["a.mp3"]) { served in
            _ = try await PythonTools.run(Self.tagging, [served.file("a.mp3"), "3", "4"])
            let without = try await put(served, "/lyrics?relative_path=a.mp3", #"{"offset_seconds": 0.1}"#)
            #expect(without.status == 428)
            let tag = try #require(try await served.get("/lyrics?relative_path=a.mp3").field("ETag"))
            let moved = try await put(
                served, "/lyrics?relative_path=a.mp3", #"{"offset_seconds": 0.1}"#, ["If-Match: \(tag)"])
            #expect(try lyrics(moved).lines.map(\.startSeconds) == [0.4, 1.4])
            let again = try await put(
                served, "/lyrics?relative_path=a.mp3", #"{"offset_seconds": 0.1}"#, ["If-Match: \(tag)"])
            #expect(again.status == 412)
        }
    }

    @Test(
        "Lyrics that cannot be stored are rejected and change nothing",
        arguments: [
            (#"{}"#, 422), (#"{"lines": []}"#, 422), (#"{"lrc": " \n "}"#, 422),
            (#"{"lrc": "a\u0000b"}"#, 422),
            (#"{"lrc": "x", "lines": [{"text": "x"}]}"#, 422),
            (#"{"lines": [{"text": "x", "more": 1}]}"#, 400),
            (#"{"lines": [{"text": "a"}, {"text": "b", "start_seconds": 1}]}"#, 422),
            (#"{"lines": [{"text": "[00:01.00]a"}]}"#, 422),
            (#"{"lines": [{"text": "a", "start_seconds": -1}]}"#, 422),
            (#"{"lines": [{"start_seconds": 1}]}"#, 400), (#"{"lrc": "x", "offset_seconds": 1}"#, 422),
            (#"{"offset_seconds": 1e9}"#, 422), (#"{"offset_seconds": 1}"#, 404),
            (#"{"lrc": "x", "language": "english"}"#, 422),
            (#"{"lrc": 7}"#, 422), (#"[]"#, 400),
        ])
    func refused(body: String, status: Int) async throws {
        try await Self.with(["a.mp3"]) { served in
            let answer = try await put(served, "/lyrics?relative_path=a.mp3", body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: served.music.displayPath) == ["a.mp3"])
        }
    }

    @Test("Only regular files within the music folder are read and written")
    func inside() async throws {
        try await Self.with(["a.mp3", "b.mp3", "sub/c.mp3"]) { served in
            let outside = served.directory.file("secret.lrc")
            try write("[00:01.00]secret", outside)
            try FileManager.default.createSymbolicLink(
                atPath: served.file("a.lrc"), withDestinationPath: outside)
            mkfifo(served.file("b.lrc"), 0o600)
            for name in ["a.mp3", "b.mp3"] {
                #expect(try await served.get("/lyrics?relative_path=\(name)").status == 404)
            }
            #expect(try await put(served, "/lyrics?relative_path=b.mp3", #"{"lrc": "x"}"#).status == 409)
            // The link is replaced, not its target.
            #expect(try await put(served, "/lyrics?relative_path=a.mp3", #"{"lrc": "mine"}"#).status == 200)
            #expect(try String(contentsOfFile: outside, encoding: .utf8) == "[00:01.00]secret")
            for path in [
                "../secret.mp3", "%2e%2e/secret.mp3", "/etc/passwd", "sub/../../secret.lrc", "a.lrc", "sub",
                "%00",
            ] {
                #expect(try await served.get("/lyrics?relative_path=\(path)").status == 404)
                #expect(
                    try await put(served, "/lyrics?relative_path=\(path)", #"{"lrc": "x"}"#).status == 404)
            }
            // A link within the folder is followed.
            try write("[00:01.00]shared", served.file("sub/words.txt"))
            try FileManager.default.createSymbolicLink(
                atPath: served.file("sub/C.lrc"), withDestinationPath: served.file("sub/words.txt"))
            #expect(try await served.get("/lyrics?relative_path=sub/c.mp3").text.contains("shared"))
            let large = "[00:01.00]" + String(repeating: "x", count: LyricsLimits.sourceBytes)
            try FileManager.default.removeItem(atPath: served.file("a.lrc"))
            try write(large, served.file("a.lrc"))
            #expect(try await served.get("/lyrics?relative_path=a.mp3").status == 404)
        }
    }

    @Test("Of concurrent conditional changes one succeeds, and the file is always complete")
    func writers() async throws {
        try await Self.with(["a.mp3"]) { served in
            _ = try await put(served, "/lyrics?relative_path=a.mp3", #"{"lrc": "[00:10.00]start"}"#)
            for round in 0..<5 {
                let tag = try #require(try await served.get("/lyrics?relative_path=a.mp3").field("ETag"))
                let target = round % 2 == 0 ? "sidecar" : "uslt"
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for writer in 0..<6 {
                        group.addTask {
                            let text =
                                "[00:\(10 + writer).00]"
                                + String(repeating: "write \(round)\(writer) ", count: 500)
                            return try await put(
                                served, "/lyrics?relative_path=a.mp3&target=\(target)",
                                "{\"lrc\": \"\(text)\"}",
                                ["If-Match: \(tag)"]
                            ).status
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.sorted() == [200, 412, 412, 412, 412, 412])
                let now = try await lyrics(served, "&source=\(target)")
                #expect(now.lines.count == 1 && now.lines[0].text.utf8.count == 500 * 9 - 1)
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: served.music.displayPath)
            #expect(left.sorted() == ["a.lrc", "a.mp3"])
        }
    }
}
