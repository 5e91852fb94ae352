import Foundation
import Synchronization
import TestSupport
import Testing

/// `stream-player` with a real host, compared with mpg123's output for the same files.
@Suite("Player", .timeLimit(.minutes(30)))
struct PlayerTests {
    static let program = BuiltProgram.path("stream-player")

    /// Creates an album with several kinds of files whose lengths end within frames.
    static func album() throws -> (directory: TemporaryDirectory, names: [String]) {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        let kinds = [["-b", "128"], ["-V", "2"], ["-b", "320"], ["-b", "32", "--resample", "44.1"]]
        for (number, options) in kinds.enumerated() {
            let music = PCM.music(frameCount: 44_100 * 14 + 333 * number + 17, seed: UInt64(number + 1))
            let tags = [
                "--add-id3v2", "--tt", "Track \(number + 1)", "--ta", "Artist", "--tl", "Album", "--tn",
                "\(number + 1)",
            ]
            try directory.write(try Encoders.lame(music, options + tags), as: "music/\(number).mp3")
        }
        return (directory, kinds.indices.map { "music/\($0).mp3" })
    }

    /// Returns the samples of a WAV file.
    static func sound(_ path: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        var position = 12
        while position + 8 <= bytes.count {
            let size = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << (8 * $1) }
            if bytes[position..<position + 4].elementsEqual("data".utf8) {
                return Array(bytes[(position + 8)..<min(bytes.count, position + 8 + size)])
            }
            position += 8 + size + size % 2
        }
        throw CocoaError(.fileReadCorruptFile)
    }

    private static func truth(_ directory: TemporaryDirectory, _ names: [String]) throws -> [UInt8] {
        try names.flatMap { name in
            let wav = directory.file("truth.wav")
            try ProcessRun.run("mpg123", ["-q", "-e", "f32", "-w", wav, directory.file(name)])
            return try sound(wav)
        }
    }

    /// Analyses the music in a folder and serves it.
    static func host(_ directory: TemporaryDirectory, _ options: [String] = []) throws -> (
        RunningProgram, base: String, key: String
    ) {
        let data = directory.file("data")
        let music = directory.file("music")
        try ProcessRun.run(BuiltProgram.path("analyze-cli"), [music, "--data", data, "--quiet"])
        let host = try RunningProgram(
            [BuiltProgram.path("stream-host"), "serve", "--music", music, "--data", data, "--port", "0"]
                + options)
        try #require(host.waits(60) { host.output.contains("key") || !host.isRunning })
        let base = String(try #require(host.output.firstMatch(of: /http:\/\/[0-9.:]+/)).0)
        let key = try ProcessRun.run(BuiltProgram.path("stream-host"), ["key", "show", "--data", data]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return (host, base, key)
    }

    @Test("An album from a host matches its decoded files bit for bit, one after the other")
    func album() throws {
        let (directory, names) = try Self.album()
        let (host, base, key) = try Self.host(directory)
        defer { withExtendedLifetime(host) {} }
        try directory.write("\(key)\n".utf8, as: "key")
        try ProcessRun.run(
            Self.program,
            [
                "play", "album:1", "--host", base, "--key-file", directory.file("key"), "--output",
                "wav:\(directory.file("out.wav"))", "--plain", "--normalize", "off",
            ])
        let made = try Self.sound(directory.file("out.wav"))
        let wanted = try Self.truth(directory, names)
        #expect(made.count == wanted.count)
        #expect(made == wanted)
        // A wrong key is reported, and ends with 2.
        try directory.write("wrong".utf8, as: "key")
        let refused = try ProcessRun.run(
            Self.program,
            [
                "play", "album:1", "--host", base, "--key-file", directory.file("key"), "--output",
                "null:fast",
            ],
            mustSucceed: false)
        #expect(refused.status == 2)
        #expect(String(decoding: refused.errors, as: UTF8.self).contains("rejected the API key"))
    }

    /// The samples of a sound as in a WAV file of floating-point numbers.
    private static func floats(_ sound: IntegerSound) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<sound.frameCount {
            for channel in sound.channels {
                withUnsafeBytes(of: Float(channel[index]) / 32_768) { bytes += $0 }
            }
        }
        return bytes
    }

    @Test("The tracks of a cue sheet play as the whole file, and one of them alone")
    func cueSheet() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        let sound = IntegerSound.tones(frameCount: 44_100 * 21 + 333, seed: 9)
        try directory.write(try sound.flac(), as: "music/Album.flac")
        let sheet = """
            TITLE "Live"
            PERFORMER "Band"
            FILE "Album.flac" WAVE
            TRACK 01 AUDIO
            TITLE "One"
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            TITLE "Two"
            INDEX 01 00:07:33
            TRACK 03 AUDIO
            TITLE "Three"
            INDEX 01 00:14:02
            """
        try directory.write(Array(sheet.utf8), as: "music/Album.cue")
        let (host, base, key) = try Self.host(directory)
        defer { withExtendedLifetime(host) {} }
        try directory.write("\(key)\n".utf8, as: "key")
        func played(_ what: String) throws -> [UInt8] {
            try ProcessRun.run(
                Self.program,
                [
                    "play", what, "--host", base, "--key-file", directory.file("key"), "--output",
                    "wav:\(directory.file("out.wav"))", "--plain", "--normalize", "off", "--quality", "high",
                    "--folder", directory.file("client"),
                ])
            return try Self.sound(directory.file("out.wav"))
        }
        let whole = Self.floats(sound)
        #expect(try played("album:1") == whole)
        let bytes = 588 * 2 * MemoryLayout<Float>.size
        #expect(try played("track:2") == Array(whole[(7 * 75 + 33) * bytes..<(14 * 75 + 2) * bytes]))
    }

    @Test(
        "An album of FLAC and MP3 files plays losslessly from the host, from the cache and as MP3 without gaps"
    )
    func flac() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        var truth: [UInt8] = []
        for number in 1...2 {
            let sound = IntegerSound.tones(frameCount: 44_100 * 14 + 333 * number, seed: UInt64(number))
            let tags = ["TITLE=T\(number)", "ARTIST=A", "ALBUM=B", "TRACKNUMBER=\(number)"].flatMap {
                ["-T", $0]
            }
            try directory.write(try sound.flac(tags), as: "music/\(number).flac")
            truth += Self.floats(sound)
        }
        let tags = ["--add-id3v2", "--tt", "T3", "--ta", "A", "--tl", "B", "--tn", "3"]
        let music = PCM.music(frameCount: 44_100 * 14, seed: 3)
        try directory.write(try Encoders.lame(music, ["-b", "128"] + tags), as: "music/3.mp3")
        truth += try Self.truth(directory, ["music/3.mp3"])
        let (host, base, key) = try Self.host(directory)
        defer { withExtendedLifetime(host) {} }
        try directory.write("\(key)\n".utf8, as: "key")
        func played(_ more: String...) throws -> [UInt8] {
            try ProcessRun.run(
                Self.program,
                [
                    "play", "album:1", "--host", base, "--key-file", directory.file("key"), "--output",
                    "wav:\(directory.file("out.wav"))", "--plain", "--normalize", "off", "--folder",
                    directory.file("client"),
                ] + more)
            return try Self.sound(directory.file("out.wav"))
        }
        let first = try played("--quality", "high")
        #expect(first.count == truth.count)
        #expect(first == truth)
        // As MP3, the same number of samples.
        #expect(try played("--quality", "low").count == truth.count)
        // Downloaded files are decoded, whatever their names.
        let folder = ["--folder", directory.file("client")]
        try ProcessRun.run(Self.program, ["connect", base, "--key-file", directory.file("key")] + folder)
        let paths = try ProcessRun.run(Self.program, ["download", "album:1"] + folder).text.split(
            separator: "\n")
        try ProcessRun.run(
            Self.program,
            ["play"] + paths.map(String.init) + [
                "--output", "wav:\(directory.file("kept.wav"))", "--plain", "--normalize", "off",
            ])
        #expect(try Self.sound(directory.file("kept.wav")) == truth)
    }

    @Test("Local files are played too, and non-music files are reported without stopping playback")
    func files() throws {
        let (directory, names) = try Self.album()
        try directory.write(Array("no music".utf8), as: "text.mp3")
        let run = try ProcessRun.run(
            Self.program,
            [
                "play", directory.file(names[0]), directory.file("text.mp3"), "--output", "null:fast",
                "--plain",
            ],
            mustSucceed: false)
        #expect(run.status == 1)
        #expect(String(decoding: run.errors, as: UTF8.self).contains("not MP3 audio"))
        let nothing = try ProcessRun.run(Self.program, ["play", "/no/such/file"], mustSucceed: false)
        #expect(nothing.status == 2)
    }

    @Test("Random commands from many tasks leave the engine working")
    func stress() throws {
        let (directory, names) = try Self.album()
        let run = try ProcessRun.run(
            BuiltProgram.path("playback-stress"), ["5"] + names.map { directory.file($0) })
        #expect(run.text.contains("plays"))
    }

    @Test("ALSA's null device takes as long as the music lasts")
    func alsa() throws {
        let (directory, names) = try Self.album()
        let run = try ProcessRun.run(
            Self.program,
            ["play", directory.file(names[0]), "--output", "alsa:null", "--for", "5", "--plain"])
        #expect(String(decoding: run.errors, as: UTF8.self).contains("playing"))
    }

    @Test("The host sees the player, its playback and its plays; the key can be passed through a pipe")
    func reported() throws {
        let (directory, _) = try Self.album()
        let (host, base, key) = try Self.host(directory)
        defer { withExtendedLifetime(host) {} }
        func ask(_ path: String) throws -> String {
            try ProcessRun.run("curl", ["-sS", "-H", "Authorization: Bearer \(key)", base + path]).text
        }
        let player = try RunningProgram([
            "bash", "-c",
            "\(Self.program) play album:1 --host \(base) --key-file <(echo \(key)) --output null --plain --for 20",
        ])
        #expect(try player.waits(30) { try ask("/clients").contains("stream-player") }, "\(player.errors)")
        #expect(try player.waits(10) { try ask("/clients").firstMatch(of: /"track_?[iI][dD]":\d/) != nil })
        #expect(try player.waits(10) { try ask("/listening/now-playing").contains("stream-player") })
        #expect(try player.wait().status == 0)
        let history = try ask("/listening/history")
        #expect(history.contains("stream-player") && history.contains("Track 1"))
        #expect(try !ask("/clients").contains("stream-player"))
        // An invalid key file is an error that names the file.
        for (content, word) in [("", "empty"), (String(repeating: "x", count: 70_000), "larger")] {
            let path = try directory.write(content.utf8, as: "wrong")
            let run = try ProcessRun.run(
                Self.program, ["play", "album:1", "--host", base, "--key-file", path], mustSucceed: false)
            #expect(run.status == 2)
            let errors = String(decoding: run.errors, as: UTF8.self)
            #expect(errors.contains(path) && errors.contains(word))
        }
    }

    @Test("A station is shown by its name, each title once, and its secrets never")
    func station() throws {
        let sound = try Encoders.lame(PCM.music(frameCount: 44_100 * 20), ["-b", "128"])
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: sound.count - 8192, by: 8192) {
            bytes += sound[start..<start + 8192]
            let text = Array("StreamTitle='A song';".utf8)
            bytes += [2] + text + [UInt8](repeating: 0, count: 32 - text.count)
        }
        var resource = FaultyServer.Resource(
            bytes, entityTag: nil, fields: ["icy-name: Radio Test", "icy-metaint: 8192", "icy-br: 128"])
        resource.isStation = true
        let server = try FaultyServer(["/live": resource])
        defer { server.end() }
        let address = server.address("/live?token=s3cret").replacing("http://", with: "http://me:hidden@")
        let run = try ProcessRun.run(
            Self.program, ["radio", address, "--output", "null", "--plain", "--for", "4"], mustSucceed: false)
        let lines = String(decoding: run.errors, as: UTF8.self)
        #expect(!lines.contains("s3cret") && !lines.contains("hidden"), "\(lines)")
        #expect(lines.components(separatedBy: "Radio Test").count == 2, "\(lines)")
        #expect(lines.components(separatedBy: "now A song").count == 2, "\(lines)")
        let wrong = try ProcessRun.run(
            Self.program, ["radio", "ftp://me:hidden@a/b?token=s3cret"], mustSucceed: false)
        let error = String(decoding: wrong.errors, as: UTF8.self)
        #expect(wrong.status == 2 && !error.contains("s3cret") && !error.contains("hidden"), "\(error)")
    }

    @Test(
        "An outage longer than all retries together is waited out, and playback continues"
    )
    func outage() throws {
        let directory = try TemporaryDirectory()
        let sound = try Encoders.lame(PCM.music(frameCount: 44_100 * 20), ["-b", "128", "-t"])
        let isAway = Mutex(false)
        let server = try FaultyServer(["/a.mp3": .init(sound)]) { request in
            if isAway.withLock({ $0 }) { return .close }
            return request.number == 0 ? .cut(after: 110_000) : .none
        }
        defer { server.end() }
        isAway.withLock { $0 = false }
        let player = try RunningProgram([
            Self.program, "play", server.address("/a.mp3"), "--output", "null", "--plain", "--folder",
            directory.path,
        ])
        // The first request returns seven seconds of audio.
        #expect(player.waits(20) { !server.requests.isEmpty })
        isAway.withLock { $0 = true }
        #expect(player.waits(20) { player.errors.contains("No Connection") }, "\(player.errors)")
        usleep(20_000_000)
        #expect(player.isRunning, "\(player.errors)")
        isAway.withLock { $0 = false }
        let back = Date()
        #expect(player.waits(20) { player.errors.contains("resumed") }, "\(player.errors)")
        #expect(Date().timeIntervalSince(back) < 4)
        #expect(try player.wait().status == 0)
    }

    @Test("A slow network is reported in a few lines")
    func buffering() throws {
        let sound = try Encoders.lame(PCM.music(frameCount: 44_100 * 30), ["-b", "128", "-t"])
        let server = try FaultyServer(["/a.mp3": .init(sound)]) { _ in .slow(bytesPerSecond: 20_000) }
        defer { server.end() }
        let run = try ProcessRun.run(
            Self.program,
            ["play", server.address("/a.mp3"), "--output", "null", "--plain", "--for", "10"])
        let lines = String(decoding: run.errors, as: UTF8.self).split(separator: "\n")
        let percents = lines.compactMap { $0.firstMatch(of: /^Buffering (\d+) %$/).flatMap { Int($0.1) } }
        #expect((2...11).contains(percents.count) && percents == percents.sorted(), "\(lines)")
    }
}
