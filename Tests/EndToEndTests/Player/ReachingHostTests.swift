import Foundation
import TestSupport
import Testing

/// `stream-player` connects to a real host, and handles its absence.
@Suite("Reaching a host", .timeLimit(.minutes(30)))
struct ReachingHostTests {
    private let directory: TemporaryDirectory
    private let host: RunningProgram
    private let base: String

    init() throws {
        directory = try TemporaryDirectory()
        let music = directory.file("music")
        let data = directory.file("data")
        try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
        for number in 1...6 {
            let pcm = PCM.music(frameCount: 44_100 * 3, seed: UInt64(number))
            let tags = [
                "--add-id3v2", "--tt", "Song \(number)", "--ta", number < 4 ? "Ärzte" : "Björk & Co", "--tl",
                number < 4 ? "Erste" : "Second Æon", "--tn", "\(number)", "--ty", "\(1990 + number)",
            ]
            try directory.write(try Encoders.lame(pcm, ["-b", "128"] + tags), as: "music/\(number).mp3")
        }
        try ProcessRun.run(BuiltProgram.path("analyze-cli"), [music, "--data", data, "--quiet"])
        let host = try RunningProgram([
            BuiltProgram.path("stream-host"), "serve", "--music", music, "--data", data, "--port", "0",
        ])
        try #require(host.waits(60) { host.output.contains("key") || !host.isRunning })
        self.host = host
        base = String(try #require(host.output.firstMatch(of: /http:\/\/[0-9.:]+/)).0)
        let key = try ProcessRun.run(BuiltProgram.path("stream-host"), ["key", "show", "--data", data]).text
        try directory.write(key.utf8, as: "key")
    }

    private func player(_ words: String..., mustSucceed: Bool = true) throws -> ProcessRun {
        try ProcessRun.run(
            BuiltProgram.path("stream-player"), words + ["--folder", directory.file("client")],
            mustSucceed: mustSucceed)
    }

    @Test("An account signs in with its password, keeps an app password, and is refused once that is revoked")
    func account() throws {
        let data = directory.file("data")
        func onHost(_ words: String..., input: String = "") throws -> String {
            try ProcessRun.run(
                BuiltProgram.path("stream-host"), ["account"] + words + ["--data", data], input: input + "\n"
            ).text
        }
        func connect(_ password: String) throws -> ProcessRun {
            try ProcessRun.run(
                BuiltProgram.path("stream-player"),
                ["connect", base, "--user", "ANNA", "--folder", directory.file("client")],
                input: password + "\n", mustSucceed: false)
        }
        _ = try onHost("add", "anna", input: "correct horse")
        let wrong = try connect("wrong horse")
        #expect(wrong.status != 0)
        #expect(String(decoding: wrong.errors, as: UTF8.self).contains("rejected the name or the password"))
        let right = try connect("correct horse")
        #expect(right.text.contains("6 tracks"))
        #expect(try player("browse", "tracks").text.contains("Song 1"))
        #expect(try onHost("app-password", "list").contains("anna\tstream-player\t"))
        let files = try ProcessRun.run(
            "grep", ["-r", "correct horse", directory.file("client")], mustSucceed: false)
        #expect(files.text.isEmpty)

        _ = try onHost("app-password", "remove", "stream-player", "--account", "anna")
        let refused = try player(
            "play", "track:1", "--output", "null:fast", "--plain", mustSucceed: false)
        #expect(refused.status != 0)
    }

    @Test("The local copy matches the host in everything, even when the host is gone")
    func copyAndHostAgree() throws {
        let greeting = try player("connect", base, "--key-file", directory.file("key")).text
        #expect(greeting.contains("6 tracks"))
        let known = try player("connect", "--seconds", "0.1").text
        #expect(known.contains(base))
        let questions = [
            ["browse", "artists"], ["browse", "albums"], ["browse", "tracks"], ["browse", "playlists"],
            ["browse", "artist:1"], ["browse", "album:1"], ["browse", "album:2"], ["search", "song", "2"],
            ["search", "arzte"], ["search", "bjork"], ["search", "&"], ["search", "nothing"],
        ]
        func ask(_ question: [String], _ more: String...) throws -> String {
            try ProcessRun.run(
                BuiltProgram.path("stream-player"),
                question + ["--json", "--folder", directory.file("client")] + more, mustSucceed: false
            ).text
        }
        let online = try questions.map { try ask($0) }
        #expect(online.allSatisfy { $0.count > 20 })
        #expect(try questions.map { try ask($0, "--offline") } == online)

        // A downloaded file is available without the host.
        let path = try player("download", "album:1").text.split(separator: "\n").map(String.init)
        #expect(path.count == 3)
        let originals = try (1...6).map { try directory.read("music/\($0).mp3") }
        for file in path {
            #expect(originals.contains([UInt8](try Data(contentsOf: URL(filePath: file)))))
        }
        host.signal(SIGTERM)
        try #require(host.waits(30) { !host.isRunning })
        #expect(try questions.map { try ask($0) } == online)
        #expect(try player("download", "album:1").text.split(separator: "\n").map(String.init) == path)
        #expect(try player("download", "album:2", mustSucceed: false).status == 1)
    }

    /// Returns mpg123's output for an album's files, one after the other.
    private func truth(_ album: String) throws -> [UInt8] {
        struct Album: Decodable {
            struct Track: Decodable { var relative_path: String }
            var tracks: [Track]
        }
        let text = try player("browse", album, "--json").text
        return try JSONDecoder().decode(Album.self, from: Data(text.utf8)).tracks.flatMap { track in
            let wav = directory.file("truth.wav")
            try ProcessRun.run(
                "mpg123", ["-q", "-e", "f32", "-w", wav, directory.file("music/" + track.relative_path)])
            return try PlayerTests.sound(wav)
        }
    }

    private func played(_ words: String...) throws -> [UInt8] {
        let out = directory.file("out.wav")
        try ProcessRun.run(
            BuiltProgram.path("stream-player"),
            ["play"] + words + [
                "--folder", directory.file("client"), "--plain", "--normalize", "off", "--output",
                "wav:\(out)",
            ])
        return try PlayerTests.sound(out)
    }

    @Test("Playback works via any of the host's addresses, and from downloaded files when the host is gone")
    func playedAnyway() throws {
        _ = try player("connect", base, "--key-file", directory.file("key"))
        #expect(try played("album:1") == truth("album:1"))
        // No one answers at the address tried first; the second one is the host's.
        let book = directory.file("client/hosts.json")
        var hosts = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: book))) as? [[String: Any]])
        var addresses = try #require(hosts[0]["addresses"] as? [[String: Any]])
        var dead = try #require(addresses.first)
        dead["port"] = 9
        addresses.insert(dead, at: 0)
        hosts[0]["addresses"] = addresses
        try JSONSerialization.data(withJSONObject: hosts).write(to: URL(filePath: book))
        #expect(try played("album:2", "album:1") == truth("album:2") + truth("album:1"))
        _ = try player("download", "album:2")
        host.signal(SIGTERM)
        try #require(host.waits(30) { !host.isRunning })
        #expect(try played("album:2") == truth("album:2"))
    }

    @Test("Errors are reported")
    func whatGoesWrong() throws {
        try directory.write("wrong".utf8, as: "wrong")
        let refused = try player("connect", base, "--key-file", directory.file("wrong"), mustSucceed: false)
        #expect(refused.status == 2)
        #expect(String(decoding: refused.errors, as: UTF8.self).contains("rejected the API key"))
        #expect(try player("browse", mustSucceed: false).status == 2)
        #expect(try player("connect", "ftp://a", mustSucceed: false).status == 2)
        _ = try player("connect", base, "--key-file", directory.file("key"))
        #expect(try player("browse", "album:99", mustSucceed: false).status == 2)
        #expect(try player("browse", "shoes", mustSucceed: false).status == 2)
        #expect(try player("download", "shoe:1", mustSucceed: false).status == 2)
        #expect(try player("search", "no such thing", mustSucceed: false).status == 1)
        _ = try player("connect", "--forget", "nobody", mustSucceed: false)
        let id = try #require(
            player("connect", "--seconds", "0.1").text.split(separator: " ").dropFirst().first)
        _ = try player("connect", "--forget", String(id))
        #expect(try player("browse", mustSucceed: false).status == 2)
    }
}
