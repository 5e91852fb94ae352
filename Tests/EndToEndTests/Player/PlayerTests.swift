import Foundation
import TestSupport
import Testing

/// `stream-player` with a real host, compared with what mpg123 makes of the same files.
@Suite("Player", .timeLimit(.minutes(30)))
struct PlayerTests {
    private static let program = BuiltProgram.path("stream-player")

    /// An album of a few kinds of file, lengths ending within frames.
    private static func album() throws -> (directory: TemporaryDirectory, names: [String]) {
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

    /// Sound of a WAV file, without its head.
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

    @Test("An album from a host is what its files decode to, one after the other, bit for bit")
    func album() throws {
        let (directory, names) = try Self.album()
        let data = directory.file("data")
        let music = directory.file("music")
        try ProcessRun.run(BuiltProgram.path("analyze-cli"), [music, "--data", data, "--quiet"])
        let host = try RunningProgram([
            BuiltProgram.path("stream-host"), "serve", "--music", music, "--data", data, "--port", "0",
        ])
        try #require(host.waits(60) { host.output.contains("key") || !host.isRunning })
        let base = String(try #require(host.output.firstMatch(of: /http:\/\/[0-9.:]+/)).0)
        let key = try ProcessRun.run(BuiltProgram.path("stream-host"), ["key", "show", "--data", data]).text
        try directory.write(key.utf8, as: "key")
        try ProcessRun.run(
            Self.program,
            [
                "play", "album:1", "--host", base, "--key-file", directory.file("key"), "--output",
                "wav:\(directory.file("out.wav"))", "--plain",
            ])
        let made = try Self.sound(directory.file("out.wav"))
        let wanted = try Self.truth(directory, names)
        #expect(made.count == wanted.count)
        #expect(made == wanted)
        // A wrong key is told, and ends with 2.
        try directory.write("wrong".utf8, as: "key")
        let refused = try ProcessRun.run(
            Self.program,
            [
                "play", "album:1", "--host", base, "--key-file", directory.file("key"), "--output",
                "null:fast",
            ],
            mustSucceed: false)
        #expect(refused.status == 2)
        #expect(String(decoding: refused.errors, as: UTF8.self).contains("another key"))
    }

    @Test("Files are played too, and what is no music is told without stopping anything")
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
        #expect(String(decoding: run.errors, as: UTF8.self).contains("no MP3 audio"))
        let nothing = try ProcessRun.run(Self.program, ["play", "/no/such/file"], mustSucceed: false)
        #expect(nothing.status == 2)
    }

    @Test("Random commands from many tasks leave an engine that plays")
    func stress() throws {
        let (directory, names) = try Self.album()
        let run = try ProcessRun.run(
            BuiltProgram.path("playback-stress"), ["5"] + names.map { directory.file($0) })
        #expect(run.text.contains("plays"))
    }

    @Test("ALSA's device that swallows everything takes as long as the music does")
    func alsa() throws {
        let (directory, names) = try Self.album()
        let run = try ProcessRun.run(
            Self.program,
            ["play", directory.file(names[0]), "--output", "alsa:null", "--for", "5", "--plain"])
        #expect(String(decoding: run.errors, as: UTF8.self).contains("playing"))
    }
}
