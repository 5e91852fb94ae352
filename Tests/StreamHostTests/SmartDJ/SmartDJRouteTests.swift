import Companion
import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import LibraryStore

@testable import StreamHost

/// Profiles by path over HTTP.
@Suite("Profiles by path", .timeLimit(.minutes(30)))
struct SmartDJRouteTests {
    /// Returns one second of silence, eight of a 1 kHz tone, half a second of silence.
    private static func tone() throws -> [UInt8] {
        try GeneratedTracks.mp3(
            GeneratedTracks.sound(9.5) { time in
                time < 1 || time >= 9 ? 0 : 0.1 * sin(2 * .pi * 1000 * time)
            }, ["--tl", "Album", "--ta", "Artist"])
    }

    private static func piece(_ seed: UInt64) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 3 * 44_100, seed: seed), ["-b", "64"])
    }

    private static func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Returns loudness and true peak measured by ffmpeg, to a tenth.
    private static func judge(_ file: String) async throws -> (lufs: Double, truePeak: Double) {
        let run = try await ProcessRun.aside(
            "ffmpeg",
            ["-nostats", "-i", file, "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"])
        let text = String(decoding: run.errors, as: UTF8.self)
        let lufs = try #require(text.firstMatch(of: /I: +(-[0-9.]+) LUFS/)?.output.1)
        let peak = try #require(text.firstMatch(of: /Peak: +(-[0-9.]+) dBFS/)?.output.1)
        return (try #require(Double(lufs)), try #require(Double(peak)))
    }

    private func bulk(_ answer: ServedLibrary.Answer) throws -> BulkProfiles {
        #expect(answer.status == 200, "\(answer.text.prefix(500))")
        return try JSONDecoder().decode(BulkProfiles.self, from: Data(answer.body))
    }

    private func post(_ served: ServedLibrary, _ paths: [String]) async throws -> ServedLibrary.Answer {
        let content = try JSONEncoder().encode(BulkProfilesRequest(paths: paths))
        let directory = try TemporaryDirectory()
        let file = try directory.write(content, as: "paths.json")
        return try await served.get(
            "/smart-dj/bulk-profiles",
            ["-X", "POST", "-H", "Content-Type: application/json", "--data-binary", "@\(file)"])
    }

    @Test("A profile has the tempo, silence and loudness that the track was generated with")
    func measured() async throws {
        let beats = try GeneratedTracks.mp3(GeneratedTracks.beats(20, bpm: 125, first: 0.2))
        try await ServedLibrary.with([("a b/tone.mp3", try Self.tone()), ("beats.mp3", beats)]) { served in
            let answer = try await served.get("/smart-dj/profile?relative_path=a%20b%2Ftone.mp3")
            #expect(answer.status == 200)
            let profile = try JSONDecoder().decode(SmartDJProfile.self, from: Data(answer.body))
            #expect(profile.relativePath == "a b/tone.mp3")
            #expect(abs(profile.silenceStart - 1) < 0.05 && abs(profile.silenceEnd - 9) < 0.05)
            let lufs = try #require(profile.lufs)
            let judged = try await Self.judge(served.file("a b/tone.mp3"))
            #expect(abs(lufs - judged.lufs) < 0.11)
            #expect(abs(try #require(profile.replayGainDB) - (-18 - lufs)) < 0.011)
            #expect(abs(try #require(profile.albumReplayGainDB) - (-18 - lufs)) < 0.1)
            #expect(abs(try #require(profile.truePeakDBTP) - judged.truePeak) < 0.11)
            #expect(abs(profile.cueInSeconds - 1) < 0.2 && abs(profile.cueOutSeconds - 9) < 0.2)
            // Half and double the tempo count as the same.
            let bpm = try #require(
                try await served.get("/smart-dj/profile?relative_path=beats.mp3").json("bpm") as? Double)
            #expect([62.5, 125, 250].contains { abs(bpm / $0 - 1) < 0.01 })
            let again = try await served.get(
                "/smart-dj/profile?relative_path=beats.mp3",
                ["-H", "If-None-Match: \(answer.field("ETag") ?? "")"])
            #expect(again.status == 200)
            let same = try await served.get(
                "/smart-dj/profile?relative_path=a%20b%2Ftone.mp3",
                ["-H", "If-None-Match: \(answer.field("ETag") ?? "")"])
            #expect(same.status == 304)
        }
    }

    @Test("A profile and a report have the same values")
    func report() async throws {
        let served = try await ServedStreams.library.value
        let id = try served.id("tagged.mp3")
        let object = try JSONSerialization.jsonObject(
            with: Data(try await served.get("/smart-dj/profile?relative_path=tagged.mp3").body))
        let reported = try JSONSerialization.jsonObject(
            with: Data(try await served.get("/tracks/\(id)/analysis").body))
        let profile = try #require(object as? [String: NSObject])
        let report = try #require(reported as? [String: NSObject])
        let common = profile.keys.filter { report[$0] != nil }
        #expect(common.count >= 16)
        for key in common { #expect(profile[key] == report[key], "\(key)") }
        #expect(profile["silence_start"] == report["silence_start_seconds"])
        #expect(profile["silence_end"] == report["silence_end_seconds"])
        #expect(profile["lufs"] == report["integrated_lufs"])
    }

    @Test("A file that has not been analysed is answered with its queue position, and later with its profile")
    func pending() async throws {
        try await ServedLibrary.with([("one.mp3", try Self.piece(1))]) { served in
            try Data(try Self.piece(2)).write(to: URL(filePath: served.file("two.mp3")))
            for path in ["/smart-dj/profile", "/visualizer/frames"] {
                var answer = try await served.get("\(path)?relative_path=two.mp3")
                if path.hasPrefix("/smart") {
                    #expect(answer.status == 202 && answer.field("Retry-After") != nil)
                    let pending = try JSONDecoder().decode(PendingTrack.self, from: Data(answer.body))
                    #expect(pending == PendingTrack(relativePath: "two.mp3", position: 1))
                }
                try await until {
                    answer = try await served.get("\(path)?relative_path=two.mp3")
                    return answer.status != 202
                }
                #expect(answer.status == 200)
                #expect(try answer.json("relative_path") as? String == "two.mp3")
            }
            try FileManager.default.removeItem(atPath: served.file("two.mp3"))
            _ = try await aside {
                try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            }
            #expect(try await served.get("/smart-dj/profile?relative_path=two.mp3").status == 404)
            #expect(try await served.get("/visualizer/frames?relative_path=two.mp3").status == 404)
        }
    }

    @Test("A file that cannot be analysed is reported as failed, not as pending")
    func failed() async throws {
        let junk = [UInt8]("OggS, not what its name says".utf8)
        try await ServedLibrary.with([("one.mp3", try Self.piece(1)), ("junk.mp3", junk)]) { served in
            let answer = try await served.get("/smart-dj/profile?relative_path=junk.mp3")
            #expect(answer.status == 422)
            #expect(try answer.json("error", "code") as? String == "analysis_failed")
            let found = try bulk(try await served.get("/smart-dj/bulk-profiles?paths=junk.mp3,one.mp3"))
            #expect(found.failed.map(\.relativePath) == ["junk.mp3"] && found.pending.isEmpty)
            #expect(found.profiles.keys.sorted() == ["one.mp3"])
        }
    }

    @Test("Nothing outside of the music folder is found, whatever the path")
    func outside() async throws {
        try await ServedLibrary.with([("in/one.mp3", try Self.piece(1))]) { served in
            let secret = served.directory.file("secret.mp3")
            try Data(try Self.piece(2)).write(to: URL(filePath: secret))
            // Opening one of these for reading would block forever.
            for pipe in ["pipe.mp3", "music/pipe.mp3"] { mkfifo(served.directory.file(pipe), 0o600) }
            for (link, target) in [
                ("link.mp3", secret), ("folder", served.directory.path),
                ("toPipe.mp3", served.directory.file("pipe.mp3")),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: served.file(link), withDestinationPath: target)
            }
            let paths = [
                "../secret.mp3", "in/../../secret.mp3", "in/../in/one.mp3", "./in/one.mp3", "in//one.mp3",
                secret, "/in/one.mp3", "link.mp3", "folder/secret.mp3", "toPipe.mp3", "pipe.mp3", "in",
                "in/", "", ".", "..", "in/one.mp3/", "in/one.mp3\0", "in/one.mp3\0.mp3", "../data/host.json",
                "..%2Fsecret.mp3", String(repeating: "a", count: 5000) + ".mp3",
                String(repeating: "a/", count: 3000) + "a.mp3",
            ]
            for path in paths {
                for route in ["/smart-dj/profile", "/visualizer/frames"] {
                    let answer = try await served.get("\(route)?relative_path=\(Self.encoded(path))")
                    #expect(answer.status == 404, "\(route) \(path)")
                }
            }
            let found = try bulk(try await post(served, paths))
            #expect(found.notFound == paths && found.profiles.isEmpty && found.pending.isEmpty)
            #expect(try await served.get("/smart-dj/profile?relative_path=in%2Fone.mp3").status == 200)
            #expect(try await served.get("/smart-dj/profile").status == 400)
            #expect(try await served.get("/smart-dj/bulk-profiles").status == 400)
        }
    }

    @Test("Several profiles can be requested by repetition, commas or POST; commas in names are kept")
    func many() async throws {
        let names = ["one.mp3", "two, too.mp3", "a.mp3,b.mp3", "Größe.mp3", "q\"u\\o.mp3"]
        try await ServedLibrary.with(try names.map { ($0, try Self.piece(7)) }) { served in
            let repeated = names.map { "paths=\(Self.encoded($0))" }.joined(separator: "&")
            let commas = Self.encoded("one.mp3,two, too.mp3,none.flac,Größe.mp3")
            #expect(
                try bulk(try await served.get("/smart-dj/bulk-profiles?\(repeated)")).profiles.keys.sorted()
                    == names.sorted())
            let some = try bulk(try await served.get("/smart-dj/bulk-profiles?paths=\(commas)"))
            #expect(some.profiles.keys.sorted() == ["Größe.mp3", "one.mp3", "two, too.mp3"])
            #expect(some.notFound == ["none.flac"])
            let all = try bulk(try await post(served, names + names))
            #expect(all.profiles.keys.sorted() == names.sorted())
            for (path, profile) in all.profiles { #expect(profile.relativePath == path) }
            // More than fit into one batch.
            let missing = (0..<5000).map { "none/\($0).mp3" }
            let long = try bulk(try await post(served, missing + names))
            #expect(long.notFound == missing && long.profiles.count == names.count)
            let tooMany = try await post(served, (0...BulkProfilesRequest.largestCount).map { "\($0)" })
            #expect(tooMany.status == 422)
            #expect(try bulk(try await post(served, [])).profiles.isEmpty)
        }
    }

    @Test("A file name that is not UTF-8 can be requested by the text in the catalogue")
    func foreignName() async throws {
        let bytes = Array("caf".utf8) + [0xE9] + Array(".mp3".utf8)
        let path = try #require(RelativePath(bytes: bytes))
        let content = try Self.piece(3)
        let served = try await aside {
            try ServedLibrary([("one.mp3", content)]) { folder in
                let name = Array("\(folder)/".utf8) + bytes
                let file = name.map { CChar(bitPattern: $0) } + [0]
                let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
                #expect(descriptor >= 0)
                content.withUnsafeBytes { #expect(write(descriptor, $0.baseAddress, $0.count) == $0.count) }
                close(descriptor)
            }
        }
        let answer = try await served.get("/smart-dj/profile?relative_path=\(Self.encoded(path.text))")
        await served.shutdown()
        #expect(answer.status == 200)
        #expect(try answer.json("relative_path") as? String == path.text)
    }

    @Test(
        "Commas only separate after an audio file extension",
        arguments: [
            ("a.mp3,b.mp3", ["a.mp3", "b.mp3"]), ("a.mp3", ["a.mp3"]),
            ("a, b.mp3,c.FLAC", ["a, b.mp3", "c.FLAC"]),
            ("a.b,c.mp3", ["a.b,c.mp3"]), (",a.mp3", ["a.mp3"]), ("a.mp3,", ["a.mp3"]), ("", [""]),
            ("x.mp3,y.mp3", ["x.mp3,y.mp3"]),
        ])
    func commas(value: String, paths: [String]) {
        #expect(PathList.paths(in: value) { $0 == "x.mp3,y.mp3" } == paths)
    }
}
