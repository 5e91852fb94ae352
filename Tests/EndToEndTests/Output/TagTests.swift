import Foundation
import TestSupport
import Testing

/// `analyze-cli tag`, run like a user runs it.
@Suite("Measurements in tags from the command line", .timeLimit(.minutes(30)))
struct TagTests {
    private let directory: TemporaryDirectory
    private var music: String { directory.file("music") }
    private var data: String { directory.file("data") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music/a b"), withIntermediateDirectories: true)
        for number in 1...2 {
            let tags = ["-b", "64", "--id3v2-only", "--tl", "Album", "--ta", "A"]
            try directory.write(
                try Encoders.lame(PCM.music(frameCount: 5 * 44_100, seed: UInt64(70 + number)), tags),
                as: "music/a b/\(number).mp3")
        }
        _ = try AnalyzeCLI.run(music, "--data", data, "--dj", "--quiet")
    }

    private func tags(_ number: Int) throws -> [String: String] {
        let run = try ProcessRun.run(
            "ffprobe", ["-v", "error", "-show_format", "-of", "json", "\(music)/a b/\(number).mp3"])
        let object = try JSONSerialization.jsonObject(with: run.output) as? [String: [String: Any]]
        return object?["format"]?["tags"] as? [String: String] ?? [:]
    }

    @Test("Files are tagged once, previewed in a dry run, and failures change the exit status")
    func tag() throws {
        let dry = try AnalyzeCLI.run("tag", music, "--data", data, "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("would tag  a b/1.mp3  (track "), "\(dry.errors)")
        #expect(try tags(1)["REPLAYGAIN_TRACK_GAIN"] == nil)

        let some = try AnalyzeCLI.run("tag", music, "a b/1.mp3", "--data", data)
        #expect(some.status == 0 && some.outputLines.count == 1, "\(some.output)")
        let gain = try #require(try tags(1)["REPLAYGAIN_TRACK_GAIN"])
        #expect(gain.wholeMatch(of: /-?[0-9]+\.[0-9]{2} dB/) != nil)
        #expect(try tags(1)["REPLAYGAIN_ALBUM_PEAK"] != nil && tags(2)["REPLAYGAIN_TRACK_GAIN"] == nil)

        let rest = try AnalyzeCLI.run("tag", music, "a b/", "--data", data, "--json")
        #expect(rest.status == 0)
        let outcomes = try rest.outputLines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
        // Tracks are listed by ID, in the order in which the pass finished them.
        #expect(Set(outcomes.map { $0["outcome"] as? String }) == ["right", "written"])
        #expect(try tags(1)["REPLAYGAIN_ALBUM_GAIN"] == tags(2)["REPLAYGAIN_ALBUM_GAIN"])
        // A tagged file has the same audio: nothing is analysed.
        let pass = try AnalyzeCLI.run(music, "--data", data, "--dj")
        #expect(pass.status == 0 && !pass.errors.contains("analysed 1"), "\(pass.errors)")

        chmod("\(music)/a b/2.mp3", 0o444)
        let failed = try AnalyzeCLI.run("tag", music, "nowhere", "a b", "--data", data, "--target", "-14")
        #expect(failed.status == 1 && failed.errors.contains("failed     a b/2.mp3: is read-only"))
        #expect(failed.errors.contains("failed     nowhere: no such track"))
        #expect(
            failed.errors.contains("1 tagged, 0 already correct, 0 skipped, 2 failed"), "\(failed.errors)")
    }

    @Test("The values of a run are one edit in the history of a host, which restores the former ones")
    func undo() throws {
        #expect(try AnalyzeCLI.run("tag", music, "--data", data, "--dry-run").status == 0)
        let host = try RunningHost(music: music, data: data)
        #expect(try host.curl("/edits").contains("\"total\":0"))
        let former = try tags(1)
        #expect(try AnalyzeCLI.run("tag", music, "--data", data, "--bpm").status == 0)
        #expect(try tags(1)["REPLAYGAIN_ALBUM_GAIN"] != nil)

        struct Answer: Decodable {
            struct Edit: Decodable {
                let edit_id: Int
                let kind: String
                let file_count: Int
            }
            let items: [Edit]
        }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(host.curl("/edits").utf8))
        let edit = try #require(answer.items.first)
        #expect(answer.items.count == 1 && edit.kind == "measurements" && edit.file_count == 2)
        #expect(try host.curl("/edits/\(edit.edit_id)/undo", "-X", "POST").contains("\"changed_count\":2"))
        #expect(try tags(1) == former)
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
    }

    @Test("Tempo and key alone are written on request", arguments: [["--id3v2-only"], ["--id3v1-only"]])
    func tempoAndKey(format: [String]) async throws {
        let clicks = PCM(
            sampleRate: 44_100, channelCount: 1,
            samples: (0..<44_100 * 20).map { index in
                // 120 BPM.
                let phase = Double(index % 22_050) / 44_100
                return Int16(20_000 * exp(-phase / 0.03) * sin(2 * .pi * 220 * phase))
            })
        try directory.write(
            try Encoders.lame(clicks, ["-b", "64", "--tt", "T"] + format), as: "music/clicks.mp3")
        _ = try AnalyzeCLI.run(music, "--data", data, "--dj", "--quiet")
        let arguments = ["tag", music, "clicks.mp3", "--data", data, "--bpm", "--key", "camelot"]
        let run = try AnalyzeCLI.start(arguments + ["--no-replaygain", "--json"]).wait()
        #expect(run.status == 0, "\(run.errors)")
        let line = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(line?["bpm"] as? Int == 120 && line?["outcome"] as? String == "written", "\(run.output)")
        let frames = try await TagWitness.frames(of: "\(music)/clicks.mp3")
        #expect(frames["TBPM"] == "120" && frames["TIT2"] == "T")
        #expect(frames["TKEY"] == line?["initial_key"] as? String)
        #expect(frames["TXXX:REPLAYGAIN_TRACK_GAIN"] == nil)
        // The tags now have what was measured, and the library knows it.
        let again = try AnalyzeCLI.run("tag", music, "clicks.mp3", "--data", data, "--bpm", "--no-replaygain")
        #expect(again.errors.contains("0 tagged, 1 already correct"), "\(again.errors)")
        #expect(
            try AnalyzeCLI.run("show", "clicks.mp3", "--data", data).output.contains("120 BPM"))
    }

    @Test("Incorrect usage changes nothing")
    func usage() throws {
        for arguments in [
            ["tag"], ["tag", music, "--data", directory.file("none")], ["tag", music, "--target", "3"],
            ["tag", music, "--album", "both", "--data", data], ["tag", music, "../x", "--data", data],
            ["tag", directory.file("nowhere"), "--data", data],
            ["tag", music, "--no-replaygain", "--data", data], ["tag", music, "--key", "C", "--data", data],
        ] {
            #expect(try AnalyzeCLI.start(arguments).wait().status == 2, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("none")))
        #expect(try AnalyzeCLI.run("help", "tag").output.contains("--skip-existing"))
    }
}
