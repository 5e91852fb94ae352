import ClientTestSupport
import Foundation
import MusicShared
import Synchronization
import TestSupport
import Testing

@testable import StreamClient

/// WAV, AIFF and M4A files played through the whole engine, compared with the samples that were encoded, or with ffmpeg's.
@Suite("WAV, AIFF and M4A files", .timeLimit(.minutes(30)))
struct SampleFileTests {
    private static let sound = IntegerSound.tones(
        frameCount: 44_100 * 9 + 123, sampleRate: 44_100, channelCount: 2, bitDepth: 16)

    private static func interleaved(_ sound: IntegerSound) -> [Float] {
        let scale = 1 / Float(1 << (sound.bitDepth - 1))
        return (0..<sound.frameCount).flatMap { place in sound.channels.map { Float($0[place]) * scale } }
    }

    /// Converts a sound with ffmpeg.
    private static func file(
        _ sound: IntegerSound, _ ending: String, _ options: [String], in directory: TemporaryDirectory
    ) throws -> String {
        let input = try directory.write(sound.flac(), as: "in.flac")
        let path = directory.file("sound.\(ending)")
        try ProcessRun.run("ffmpeg", ["-v", "error", "-y", "-i", input] + options + [path])
        return path
    }

    private func played(_ path: String, from seconds: Double = 0) async throws -> WAVSamples {
        let directory = try TemporaryDirectory()
        let out = directory.file("out.wav")
        let end = await playToEnd([PlayableItem(file: path)], from: seconds, into: out)
        #expect(end == .stopped(.endOfFile))
        return try WAVSamples(out)
    }

    @Test(
        "A lossless file from any position gives the samples that were encoded",
        arguments: [
            ("wav", ["-c:a", "pcm_s16le"]), ("wav", ["-c:a", "pcm_f32le", "-rf64", "always"]),
            (
                "wav",
                ["-c:a", "pcm_s24le", "-metadata", "title=Long " + String(repeating: "x", count: 100_000)]
            ),
            ("aiff", ["-c:a", "pcm_s16be", "-write_id3v2", "1", "-metadata", "title=A"]),
            ("m4a", ["-c:a", "alac"]), ("m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
            ("m4a", ["-c:a", "alac", "-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "1000000"]),
        ])
    func lossless(ending: String, options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(Self.sound, ending, options, in: directory)
        let truth = Self.interleaved(Self.sound)
        for seconds in [0, 0.02, 4.5, 8.999] {
            let made = try await played(path, from: seconds)
            #expect(made.sampleRate == 44_100 && made.channelCount == 2)
            let isSame = made.samples == Array(truth[(Int((seconds * 44_100).rounded()) * 2)...])
            #expect(isSame, "from \(seconds) s")
        }
    }

    @Test("An AAC file from any position gives what ffmpeg decodes, without delay and padding")
    func aac() async throws {
        let directory = try TemporaryDirectory()
        // Noise that is substituted depends on all frames decoded before.
        let path = try Self.file(
            Self.sound, "m4a", ["-c:a", "aac", "-b:a", "192k", "-aac_pns", "0"], in: directory)
        let run = try await ProcessRun.aside(
            "ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
        let decoded = run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let truth = Array(decoded.prefix(Self.sound.frameCount * 2))
        for seconds in [0, 0.03, 5.001] {
            let made = try await played(path, from: seconds)
            let wanted = truth[(Int((seconds * 44_100).rounded()) * 2)...]
            #expect(made.samples.count == wanted.count)
            let difference = zip(made.samples, wanted).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(difference < 1e-5, "from \(seconds) s")
        }
    }

    @Test(
        "HE-AAC from any position has the replicated band from the first sample",
        arguments: HEAACFile.allCases)
    func bandReplication(file: HEAACFile) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(file.bytes, as: file.rawValue)
        let truth = try await file.decoded()
        for seconds in [0, 0.03, 5.001, 11.3, 12.9] {
            let made = try await played(path, from: seconds)
            let wanted = truth.dropFirst(Int((seconds * 44_100).rounded()) * 2)
            #expect(
                made.sampleRate == 44_100 && HEAACFile.isAlike(made.samples, Array(wanted)),
                "from \(seconds) s")
        }
    }

    @Test("An album of all lossless formats has no gaps, and surround is mixed")
    func album() async throws {
        let directory = try TemporaryDirectory()
        var truth: [Float] = []
        var items: [PlayableItem] = []
        var folders: [TemporaryDirectory] = []
        for (number, (ending, codec)) in [
            ("wav", "pcm_s16le"), ("m4a", "alac"), ("aiff", "pcm_s16be"), ("flac", "flac"),
        ]
        .enumerated() {
            let sound = IntegerSound.tones(
                frameCount: 60_000 + 1237 * number, sampleRate: 44_100, channelCount: 2, bitDepth: 16,
                seed: UInt64(number + 1))
            let folder = try TemporaryDirectory()
            folders.append(folder)
            items.append(PlayableItem(file: try Self.file(sound, ending, ["-c:a", codec], in: folder)))
            truth += Self.interleaved(sound)
        }
        let end = await playToEnd(items, into: directory.file("out.wav"))
        #expect(end == .stopped(.endOfFile))
        let isSame = try WAVSamples(directory.file("out.wav")).samples == truth
        #expect(isSame)
    }

    @Test(
        "A remote file is played from a position with few requests, and its length is known",
        arguments: [
            ("wav", ["-c:a", "pcm_s16le"]), ("m4a", ["-c:a", "alac"]),
            ("m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
        ])
    func remote(ending: String, options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(Self.sound, ending, options, in: directory)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }, { $0.normalization = .off }) { scene in
            scene.server.serve("http://s/a.\(ending)", .init(bytes: bytes))
            await scene.engine.play([scene.item("http://s/a.\(ending)")], from: 6.5)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            let facts = scene.events.compactMap {
                if case .factsChanged(let facts) = $0.event { facts } else { nil }
            }
            let seconds = try #require(facts.first?.durationSeconds)
            #expect(abs(seconds - Double(Self.sound.frameCount) / 44_100) < 1e-9)
            #expect(scene.server.requests.count <= 6)
        }
        let isSame =
            try WAVSamples(out).samples
            == Array(Self.interleaved(Self.sound)[(Int((6.5 * 44_100).rounded()) * 2)...])
        #expect(isSame)
    }

    @Test(
        "ReplayGain values are read from tags that an independent tagger wrote",
        arguments: [
            ("wav", ["-c:a", "pcm_s16le"]), ("aiff", ["-c:a", "pcm_s16be"]), ("m4a", ["-c:a", "alac"]),
            ("m4a", ["-c:a", "alac", "-movflags", "+faststart"]),
        ])
    func replayGain(ending: String, options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(Self.sound, ending, options, in: directory)
        let code = """
            import sys
            from mutagen import File, id3, mp4
            file, texts = File(sys.argv[1]), {"replaygain_track_gain": "-3.50 dB", "replaygain_track_peak": "0.5"}
            if file.tags is None: file.add_tags()
            for name, text in texts.items():
                if isinstance(file.tags, mp4.MP4Tags): file.tags["----:com.apple.iTunes:" + name] = [text.encode()]
                else: file.tags.add(id3.TXXX(desc=name, text=[text]))
            file.save()
            """
        _ = try await PythonTools.run(code, [path])
        let reader = ProgressiveSource(resource: FileResource(path: path)).reader(from: 0)
        var values: ReplayGainValues?
        while let piece = try await reader.next() {
            if case .facts(let facts) = piece { values = facts.replayGain }
        }
        #expect(values?.trackGainDB == -3.5 && values?.trackPeak == 0.5)
        #expect(values?.albumGainDB == nil)
    }

    @Test("A tag before the samples does not hide them")
    func tagFirst() async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(Self.sound, "wav", ["-c:a", "pcm_s16le"], in: directory)
        let wav = [UInt8](try Data(contentsOf: URL(filePath: path)))
        // An empty ID3v2.4 tag.
        let tag = Array("id3 ".utf8) + [10, 0, 0, 0] + Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
        let moved = try directory.write(Array(wav[..<12]) + tag + Array(wav[12...]), as: "moved.wav")
        let isSame = try await played(moved).samples == Self.interleaved(Self.sound)
        #expect(isSame)
    }

    @Test(
        "A seek does not read the description of the file again",
        arguments: [("wav", ["-c:a", "pcm_s16le"]), ("m4a", ["-c:a", "alac"])])
    func seek(ending: String, options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(Self.sound, ending, options, in: directory)
        let resource = CountedFile(FileResource(path: path))
        let source = ProgressiveSource(resource: resource)
        func opensUntilFrames(from seconds: Double) async throws -> Int {
            let before = resource.opens
            let reader = source.reader(from: seconds)
            while let piece = try await reader.next() {
                if case .frames = piece { return resource.opens - before }
            }
            throw PlaybackError(.unsupported, "no frames")
        }
        let first = try await opensUntilFrames(from: 0)
        #expect(first >= 2)
        #expect(try await opensUntilFrames(from: 5) == 1)
    }

    @Test("Damaged and cut files end with an error that says what is wrong, or where they end")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let whole = [UInt8](
            try Data(
                contentsOf: URL(
                    filePath: try Self.file(Self.sound, "m4a", ["-c:a", "alac"], in: directory))))
        // The index is at the end.
        let cut = try directory.write(Array(whole.dropLast(100_000)), as: "cut.m4a")
        let end = await playToEnd([PlayableItem(file: cut)], into: directory.file("none.wav"))
        guard case .stopped(.error(let error)) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(error.code == .unsupported && "\(error)".contains("index"))
        let wav = [UInt8](
            try Data(
                contentsOf: URL(
                    filePath: try Self.file(Self.sound, "wav", ["-c:a", "pcm_s16le"], in: directory))))
        let short = try await played(directory.write(Array(wav.dropLast(40_000)), as: "short.wav"))
        let isStart = short.samples == Array(Self.interleaved(Self.sound).prefix(short.samples.count))
        #expect(isStart && short.samples.count == Self.sound.frameCount * 2 - 20_000)
        let noFormat = try directory.write(Array(wav[..<12]) + Array(repeating: 7, count: 3000), as: "no.wav")
        guard
            case .stopped(.error(let refused)) = await playToEnd(
                [PlayableItem(file: noFormat)], into: directory.file("none.wav"))
        else {
            Issue.record("a WAV file without chunks was played")
            return
        }
        #expect(refused.code == .unsupported)
    }
}

/// A file that counts how often it is opened.
private final class CountedFile: ByteResource {
    private let file: FileResource
    private let count = Mutex(0)

    init(_ file: FileResource) { self.file = file }

    var opens: Int { count.withLock { $0 } }
    var isNear: Bool { file.isNear }

    func open(at offset: Int) async throws(PlaybackError) -> ByteRun {
        count.withLock { $0 += 1 }
        return try await file.open(at: offset)
    }
}
