import Companion
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging
import Testing
import TestSupport

/// Effects of a kill and of a full disk.
@Suite("Interrupted tag edits")
struct TagEditKillTests {
    private let directory: TemporaryDirectory
    private let audio: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        audio = try Encoders.lame(PCM.music(frameCount: 44_100 * 5), ["-b", "320"])
        try directory.write(audio, as: "music/track.mp3")
    }

    /// The helper executable, which the build places next to the test bundle.
    private var probe: String {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = bundle.appending(path: "tag-edit-probe").path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // If the tests are loaded by a helper of the toolchain, the bundle is on its command line.
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        return URL(filePath: named).deletingLastPathComponent().appending(path: "tag-edit-probe")
            .path(percentEncoded: false)
    }

    /// Runs as many rounds as `TAG_EDIT_KILLS` says, 12 by default.
    @Test(
        "After a kill at any moment, the file is complete: same audio, and the tags of one edit",
        arguments: AudioFormat.accepted)
    func kills(format: AudioFormat) throws {
        let name = "track\(format.fileExtension)"
        let (audio, decode) =
            switch format {
            case .mp3: (audio, ["mpg123", "-q", "-s"])
            case .opus, .vorbis: try Self.ogg(name, format, directory)
            case .flac: try Self.flac(name, directory)
            case .aac: try Self.chunks(name, ["-c:a", "aac"], around: "mdat", directory)
            case .alac: try Self.chunks(name, ["-c:a", "alac"], around: "mdat", directory)
            case .wav: try Self.chunks(name, ["-c:a", "pcm_s24le"], around: "data", directory)
            case .aiff: try Self.chunks(name, ["-c:a", "pcm_s24be"], around: "SSND", directory)
            }
        let rounds = ProcessInfo.processInfo.environment["TAG_EDIT_KILLS"].flatMap(Int.init) ?? 12
        let music = try MusicFolder(path: directory.file("music"))
        func decoded() throws -> Data {
            try ProcessRun.run(decode[0], decode.dropFirst() + [directory.file("music/\(name)")]).output
        }
        let before = try decoded()
        var leftovers = 0
        for round in 0..<rounds {
            let process = try ChildProcess([probe, music.displayPath, name], output: .pipe)
            try #require(process.output?.availableData.starts(with: Data("editing".utf8)) == true)
            usleep(UInt32.random(in: 0..<30_000))
            process.signal(SIGKILL)
            #expect(process.wait().isBySignal)

            let bytes = try directory.read("music/\(name)")
            let tags = try TrackTags.read(from: directory.file("music/\(name)"))
            let number = try #require(tags.title?.split(separator: " ").last.flatMap { Int($0) })
            #expect(Data(bytes).range(of: Data(audio)) != nil)
            let length = tags.comment?.count
            #expect(length == (number % 2 == 0 ? 4 : 1_900 * 5 - 1), "round \(round)")
            #expect(music.scan().entries.map(\.path.text) == [name])
            leftovers += music.removeEditLeftovers(olderThanSeconds: -10)
            #expect(try FileManager.default.contentsOfDirectory(atPath: music.displayPath) == [name])
        }
        #expect(try decoded() == before && !before.isEmpty)
        print("\(rounds) kills left \(leftovers) copies behind, all removed")
    }

    /// Replaces the MP3 file by a FLAC file; returns its audio and the command that decodes and verifies it.
    private static func flac(
        _ name: String, _ directory: TemporaryDirectory
    ) throws -> (audio: [UInt8], decode: [String]) {
        let bytes = try IntegerSound.tones(frameCount: 44_100 * 3).flac()
        try FileManager.default.removeItem(atPath: directory.file("music/track.mp3"))
        try directory.write(bytes, as: "music/\(name)")
        return (try #require(FLACMetadata(bytes)).rest, ["flac", "-dcs"])
    }

    /// Replaces the MP3 file by an Ogg file; returns its pages of audio and the command that decodes it.
    private static func ogg(
        _ name: String, _ format: AudioFormat, _ directory: TemporaryDirectory
    ) throws -> (audio: [UInt8], decode: [String]) {
        let sound = IntegerSound.tones(frameCount: 48_000 * 3, sampleRate: 48_000)
        let bytes = try format == .opus ? sound.opus() : sound.vorbis()
        try FileManager.default.removeItem(atPath: directory.file("music/track.mp3"))
        try directory.write(bytes, as: "music/\(name)")
        let audio = OggTestPage.file(try #require(OggComments(bytes)).audio)
        return (audio, ["bash", "-c", "ffmpeg -v error -i \"$0\" -f s16le -"])
    }

    /// Replaces the MP3 file by one of chunks or boxes; returns the samples in the named one and the command that decodes the file.
    private static func chunks(
        _ name: String, _ options: [String], around chunk: String, _ directory: TemporaryDirectory
    ) throws -> (audio: [UInt8], decode: [String]) {
        let sound = IntegerSound.tones(frameCount: 44_100 * 3)
        let input = try directory.write(sound.bytes, as: "in.raw")
        try FileManager.default.removeItem(atPath: directory.file("music/track.mp3"))
        let format = ["-v", "error", "-f", "s16le", "-ar", "44100", "-ac", "2", "-i", input]
        try ProcessRun.run(
            "ffmpeg",
            format + options + ["-metadata", "title=edit 0", directory.file("music/\(name)")])
        let bytes = Data(try directory.read("music/\(name)"))
        let head = try #require(bytes.range(of: Data(chunk.utf8)))
        // Beyond the chunk's size and, in SSND, its offset; the box of an M4A file states the size before its name.
        let samples = bytes[(head.upperBound + 16)...].prefix(20_000)
        return (
            [UInt8](samples),
            ["bash", "-c", "ffmpeg -v error -i \"$0\" -f s32le -"]
        )
    }

    @Test("If the new file exceeds the file size limit, the old one stays and nothing is left behind")
    func fileSizeLimit() throws {
        let run = try ProcessRun.run(
            "bash",
            [
                "-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$1\" track.mp3 1", probe,
                directory.file("music"),
            ],
            mustSucceed: false)
        #expect(run.status == 1 && run.text == "no_space\n")
        #expect(try directory.read("music/track.mp3") == audio)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("music")) == ["track.mp3"])
    }

    @Test("Locked copies, recent ones and files with other names are not removed")
    func leftovers() throws {
        let name = ".audio-companion-0123456789abcdef.tag-edit"
        try directory.write(audio, as: "music/\(name)")
        try directory.write(audio, as: "music/.audio-companion-mine.tag-edit")
        let music = try MusicFolder(path: directory.file("music"))
        #expect(music.removeEditLeftovers() == 0)
        let descriptor = open(directory.file("music/\(name)"), O_RDONLY)
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(music.removeEditLeftovers(olderThanSeconds: -10) == 0)
        close(descriptor)
        #expect(music.removeEditLeftovers(olderThanSeconds: -10) == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: music.displayPath).sorted()
        #expect(left == [".audio-companion-mine.tag-edit", "track.mp3"])
    }
}
