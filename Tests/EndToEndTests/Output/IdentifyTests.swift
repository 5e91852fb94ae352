import Foundation
import TestSupport
import Testing

/// `analyze-cli identify`, run like a user runs it, against a stand-in of AcoustID.
@Suite("Recordings named by their fingerprints", .timeLimit(.minutes(30)))
struct IdentifyTests {
    private static let recording = "11111111-1111-4111-8111-111111111111"
    private let directory: TemporaryDirectory
    private var music: String { directory.file("music") }
    private var data: String { directory.file("data") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        try directory.write(
            try Encoders.lame(
                PCM.music(frameCount: 8 * 44_100, seed: 70), ["-b", "64", "--id3v2-only", "--tt", "Wrong"]),
            as: "music/1.mp3")
        _ = try AnalyzeCLI.run(music, "--data", data, "--dj", "--quiet")
    }

    private func run(_ server: FakeAcoustIDServer, key: String = FakeAcoustIDServer.key, _ flags: String...)
        throws -> ProgramRun
    {
        try AnalyzeCLI.start(
            ["identify", music, "--data", data, "--acoustid-url", server.url] + flags,
            wrapper: ["env", "ACOUSTID_KEY=\(key)"]
        ).wait()
    }

    private func tags() throws -> [String: String] {
        let run = try ProcessRun.run(
            "ffprobe", ["-v", "error", "-show_format", "-of", "json", "\(music)/1.mp3"])
        let object = try JSONSerialization.jsonObject(with: run.output) as? [String: [String: Any]]
        return object?["format"]?["tags"] as? [String: String] ?? [:]
    }

    @Test("Proposed tags are shown, written on request only, and the key is stored nowhere")
    func identify() throws {
        let server = try FakeAcoustIDServer(
            body: FakeAcoustIDServer.result(
                score: 0.98, [(Self.recording, "Right", [("Someone", "")], [(Self.recording, "Album")])]))
        let shown = try run(server)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.contains("title: \"Wrong\" → \"Right\""), "\(shown.output)")
        #expect(shown.output.contains("musicbrainz.org/recording/\(Self.recording)"))
        #expect(shown.errors.contains("1 to tag, 0 already correct, 0 unknown, 0 failed"))
        #expect(try tags()["title"] == "Wrong" && tags()["artist"] == nil)

        let written = try run(server, "--apply", "--json")
        #expect(written.status == 0, "\(written.errors)")
        let line = try #require(written.outputLines.first)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["outcome"] as? String == "written")
        let recording = object?["recording"] as? [String: Any]
        #expect(recording?["musicbrainz_recording_id"] as? String == Self.recording)
        #expect(
            try tags().filter { ["title", "artist", "album"].contains($0.key) }
                == ["title": "Right", "artist": "Someone", "album": "Album"])

        let host = try RunningHost(music: music, data: data)
        let edits = try host.curl("/edits")
        #expect(edits.contains("\"kind\":\"edit\"") && edits.contains("\"artist\""), "\(edits)")
        host.program.signal(SIGTERM)
        _ = try host.program.wait()

        let again = try run(server, "--apply")
        #expect(again.errors.contains("0 tagged, 1 already correct"), "\(again.errors)")
        let requests = try server.diary()
        #expect(requests.allSatisfy { $0.wrong == [] && $0.duration == "8" } && requests.count == 3)
        for output in [shown, written, again] {
            #expect(!(output.output + output.errors).contains(FakeAcoustIDServer.key))
        }
        for file in try FileManager.default.contentsOfDirectory(atPath: data) {
            let content = FileManager.default.contents(atPath: "\(data)/\(file)") ?? Data()
            #expect(content.range(of: Data(FakeAcoustIDServer.key.utf8)) == nil, "\(file)")
        }
    }

    @Test("Without a key, or with an unknown one, nothing is done")
    func refused() throws {
        let server = try FakeAcoustIDServer(body: "{}")
        let without = try run(server, key: "")
        #expect(without.status == 2 && without.errors.contains("an API key is needed"))
        #expect(try server.diary().isEmpty)
        let unknown = try run(server, key: "unknown-key")
        #expect(unknown.status == 2 && unknown.errors.contains("does not know this API key"))
        #expect(!unknown.errors.contains("unknown-key"))
    }
}
