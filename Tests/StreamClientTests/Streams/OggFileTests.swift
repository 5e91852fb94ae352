import ClientTestSupport
import Foundation
import MusicShared
import Synchronization
import TestSupport
import Testing

@testable import StreamClient

/// Ogg files played through the whole engine, compared with the reference decoders.
@Suite("Ogg files", .timeLimit(.minutes(30)))
struct OggFileTests {
    /// Encodes sound, and decodes it with the reference decoder.
    private static func piece(
        _ isOpus: Bool, _ count: Int, channels: Int = 2, seed: UInt64 = 1, options: [String] = []
    ) throws -> (bytes: [UInt8], truth: [Float]) {
        let sound = IntegerSound.tones(
            frameCount: count, sampleRate: 48_000, channelCount: channels, seed: seed)
        if isOpus {
            let bytes = try sound.opus(options)
            return (bytes, try OggReference.opus(bytes))
        }
        let bytes = try sound.vorbis(options)
        return (bytes, try OggReference.vorbis(bytes).map { Float($0) / 32_768 })
    }

    /// oggdec rounds to 16 bits.
    private static let rounding: Float = 1.1 / 32_768

    /// Returns the largest difference between samples and the truth behind a number of samples; infinity for another length.
    private static func difference(
        _ one: some Collection<Float>, _ truth: some Collection<Float>, behind skipped: Int = 0
    ) -> Float {
        guard one.count == truth.count else { return .infinity }
        let pairs = zip(one, truth).dropFirst(skipped)
        return pairs.reduce(0) { max($0, abs($1.0 - max(-1, min(1, $1.1)))) }
    }

    @Test("A local file from any position matches the reference decoder", arguments: [true, false], [1, 2])
    func local(isOpus: Bool, channels: Int) async throws {
        let (bytes, truth) = try Self.piece(isOpus, 12 * 48_000 + 5, channels: channels)
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: isOpus ? "a.opus" : "a.ogg")
        for seconds in [0, 0.02, 1.5, 9.01, 11.777] {
            let out = directory.file("out.wav")
            let end = await playToEnd([PlayableItem(file: path)], from: seconds, into: out)
            #expect(end == .stopped(.endOfFile))
            let made = try WAVSamples(out)
            #expect(made.sampleRate == 48_000 && made.channelCount == channels)
            let first = Int((seconds * 48_000).rounded()) * channels
            let all = Self.difference(made.samples, truth[first...])
            // A decoder of Opus that starts in the middle of a stream takes some time until it gives the same samples.
            let later = Self.difference(made.samples, truth[first...], behind: 48_000 * channels / 2)
            #expect(all < (isOpus && seconds > 0 ? 0.2 : Self.rounding) && later < 0.01, "from \(seconds) s")
        }
    }

    @Test("An album of Opus, Vorbis and chained files has no gaps")
    func album() async throws {
        let directory = try TemporaryDirectory()
        var items: [PlayableItem] = []
        var truth: [Float] = []
        for (number, isOpus) in [true, false, true, false].enumerated() {
            var (bytes, samples) = try Self.piece(isOpus, 70_000 + 1237 * number, seed: UInt64(number + 1))
            if number > 1 {
                let more = try Self.piece(isOpus, 33_333, seed: 9)
                bytes += more.bytes
                samples += more.truth
            }
            let name = "\(number).\(isOpus ? "opus" : "ogg")"
            items.append(PlayableItem(file: try directory.write(bytes, as: name)))
            truth += samples
        }
        let end = await playToEnd(items, into: directory.file("out.wav"))
        #expect(end == .stopped(.endOfFile))
        let made = try WAVSamples(directory.file("out.wav")).samples
        let difference = Self.difference(made, truth)
        #expect(difference < Self.rounding)
    }

    @Test(
        "A remote file is played from a position, and its length and gain are known",
        arguments: [true, false])
    func remote(isOpus: Bool) async throws {
        let gain = isOpus ? "R128_TRACK_GAIN=-2176" : "REPLAYGAIN_TRACK_GAIN=-3.50 dB"
        let (bytes, truth) = try Self.piece(
            isOpus, 20 * 48_000, options: [isOpus ? "--comment" : "-c", gain])
        let directory = try TemporaryDirectory()
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }, { $0.normalization = .off }) { scene in
            scene.server.serve("http://s/a.ogg", .init(bytes: bytes))
            await scene.engine.play([scene.item("http://s/a.ogg")], from: 12.5)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            let facts = scene.events.compactMap {
                if case .factsChanged(let facts) = $0.event { facts } else { nil }
            }
            let known = try #require(facts.first)
            #expect(known.isExact && known.durationSeconds == 20)
            #expect(known.replayGain?.trackGainDB == -3.5)
        }
        let made = try WAVSamples(out).samples
        let difference = Self.difference(made, truth[(12 * 96_000 + 48_000)...], behind: 48_000)
        #expect(difference < 0.01)
    }

    @Test(
        "A position far into a remote file is exact, and costs few of its bytes", arguments: [true, false],
        [3.5, 61.37, 100, 118.9, 119.99])
    func far(isOpus: Bool, seconds: Double) async throws {
        // Half of it is silent, so that a position is not where the share of the bytes is.
        let tones = IntegerSound.tones(frameCount: 120 * 48_000, sampleRate: 48_000, channelCount: 2, seed: 4)
        let channels = tones.channels.map { channel in
            channel.enumerated().map { $0.offset < 50 * 48_000 ? 0 : $0.element }
        }
        let sound = IntegerSound(sampleRate: 48_000, channels: channels, bitDepth: 16)
        let bytes = isOpus ? try sound.opus([]) : try sound.vorbis([])
        let truth =
            isOpus ? try OggReference.opus(bytes) : try OggReference.vorbis(bytes).map { Float($0) / 32_768 }
        let directory = try TemporaryDirectory()
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }, { $0.normalization = .off }) { scene in
            scene.server.serve("http://s/a.ogg", .init(bytes: bytes))
            await scene.engine.play([scene.item("http://s/a.ogg")], from: seconds)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 400))
            #expect(scene.server.requests.count < 16)
        }
        let first = Int((seconds * 48_000).rounded()) * 2
        let made = try WAVSamples(out).samples
        // A decoder of Opus that starts in the middle of a stream takes some time until it gives the same samples.
        let all = Self.difference(made, truth[first...])
        let later = Self.difference(made, truth[first...], behind: isOpus ? 48_000 : 0)
        #expect(all < 0.2 && later < (isOpus ? 0.01 : Self.rounding))
        // Read without playing, up to the first sound.
        let resource = CountedBytes(bytes)
        let reader = ProgressiveSource(resource: resource).reader(from: seconds)
        while let piece = try await reader.next() { if case .frames = piece { break } }
        #expect(resource.count < 1 << 20 && resource.count < max(1 << 19, bytes.count / 2))
    }

    @Test("A position in a chained file with a long first link is exact")
    func chained() async throws {
        let (one, first) = try Self.piece(false, 20 * 48_000)
        let (two, second) = try Self.piece(false, 20 * 48_000, seed: 2)
        let directory = try TemporaryDirectory()
        let path = try directory.write(one + two, as: "a.ogg")
        for seconds in [10, 25.5] {
            let out = directory.file("out.wav")
            #expect(
                await playToEnd([PlayableItem(file: path)], from: seconds, into: out) == .stopped(.endOfFile))
            let difference = Self.difference(
                try WAVSamples(out).samples, (first + second)[(Int(seconds * 48_000) * 2)...])
            #expect(difference < Self.rounding)
        }
    }

    @Test("FLAC in Ogg is an error that names it")
    func flacInOgg() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(IntegerSound.tones(frameCount: 20_000).flac(), as: "a.flac")
        try ProcessRun.run("ffmpeg", ["-v", "error", "-i", path, "-c", "copy", directory.file("a.oga")])
        let end = await playToEnd(
            [PlayableItem(file: directory.file("a.oga"))], into: directory.file("none.wav"))
        guard case .stopped(.error(let error)) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(error.code == .unsupported && "\(error)".contains("FLAC in Ogg"))
    }
}

/// A file in memory that counts the bytes read.
private final class CountedBytes: ByteResource {
    private let bytes: [UInt8]
    private let read = Mutex(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { read.withLock { $0 } }
    var isNear: Bool { false }

    func open(at offset: Int) async throws(PlaybackError) -> ByteRun {
        let rest = Mutex(bytes[min(offset, bytes.count)...])
        return ByteRun(offset: offset, total: bytes.count, fields: [:], address: nil) { [self] in
            let piece = rest.withLock { rest in
                defer { rest = rest.dropFirst(1 << 14) }
                return Array(rest.prefix(1 << 14))
            }
            read.withLock { $0 += piece.count }
            return piece.isEmpty ? nil : piece
        }
    }
}
