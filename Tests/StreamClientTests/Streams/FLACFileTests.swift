import ClientTestSupport
import Foundation
import MusicShared
import TestSupport
import Testing

@testable import StreamClient

/// FLAC files played through the whole engine, compared with the samples that were encoded.
@Suite("FLAC files", .timeLimit(.minutes(30)))
struct FLACFileTests {
    /// Returns the samples as a player of stereo plays them, interleaved.
    private static func truth(_ sound: IntegerSound) -> [Float] {
        let scale = 1 / Float(1 << (sound.bitDepth - 1))
        return (0..<sound.frameCount).flatMap { index in sound.channels.map { Float($0[index]) * scale } }
    }

    @Test(
        "A local file from any position matches the samples that were encoded, bit for bit",
        arguments: [
            (44_100, 2, 16, ["-b", "4096"]), (48_000, 1, 24, ["-8"]), (96_000, 2, 24, ["-b", "192"]),
            (8_000, 2, 16, ["-b", "65535"]), (88_200, 2, 24, []),
        ])
    func local(rate: Int, channels: Int, depth: Int, options: [String]) async throws {
        let sound = IntegerSound.tones(
            frameCount: 20 * rate + 5, sampleRate: rate, channelCount: channels, bitDepth: depth)
        let directory = try TemporaryDirectory()
        let path = try directory.write(try sound.flac(options), as: "a.flac")
        let truth = Self.truth(sound)
        for seconds in [0, 0.02, 1.5, 9.01, 19.777] {
            let out = directory.file("out.wav")
            let end = await playToEnd([PlayableItem(file: path)], from: seconds, into: out)
            #expect(end == .stopped(.endOfFile))
            let made = try WAVSamples(out)
            #expect(made.sampleRate == rate && made.channelCount == channels)
            let first = Int((seconds * Double(rate)).rounded()) * channels
            #expect(WAVSamples.firstDifference(made.samples, truth[first...]) == nil, "from \(seconds) s")
        }
    }

    @Test("An album of FLAC files has no gaps, also next to MP3")
    func album() async throws {
        let directory = try TemporaryDirectory()
        var items: [PlayableItem] = []
        var truth: [Float] = []
        for (number, length) in [44_100 * 3 + 17, 44_100 * 2 + 1000].enumerated() {
            let sound = IntegerSound.tones(frameCount: length, seed: UInt64(number + 1))
            items.append(PlayableItem(file: try directory.write(try sound.flac(), as: "\(number).flac")))
            truth += Self.truth(sound)
        }
        let path = try directory.write(
            try Encoders.lame(PCM.music(frameCount: 50_000), ["-b", "128"]), as: "2.mp3")
        items.append(PlayableItem(file: path))
        truth += try WAVSamples.mpg123(path).samples
        let end = await playToEnd(items, into: directory.file("out.wav"))
        #expect(end == .stopped(.endOfFile))
        #expect(WAVSamples.firstDifference(try WAVSamples(directory.file("out.wav")).samples, truth) == nil)
    }

    @Test("Surround is mixed to stereo, and a rate that outputs do not have is converted")
    func converted() async throws {
        let directory = try TemporaryDirectory()
        let surround = IntegerSound.tones(
            frameCount: 48_000, sampleRate: 48_000, channelCount: 6, bitDepth: 24)
        let path = try directory.write(try surround.flac(), as: "a.flac")
        #expect(
            await playToEnd([PlayableItem(file: path)], into: directory.file("out.wav"))
                == .stopped(.endOfFile))
        let made = try WAVSamples(directory.file("out.wav"))
        #expect(made.channelCount == 2 && made.samples.count == 96_000)
        // BS.775: 1/√2 for the centre and the surrounds, nothing for low frequencies; full scale does not clip.
        let half = 0.5.squareRoot()
        for index in stride(from: 0, to: 48_000, by: 997) {
            let channel = surround.channels.map { Double($0[index]) / Double(1 << 23) }
            let left = (channel[0] + half * (channel[2] + channel[4])) / (1 + 2 * half)
            let right = (channel[1] + half * (channel[2] + channel[5])) / (1 + 2 * half)
            #expect(abs(Double(made.samples[2 * index]) - left) < 1e-6)
            #expect(abs(Double(made.samples[2 * index + 1]) - right) < 1e-6)
        }
        for (rate, output) in [(192_000, 96_000), (37_800, 48_000), (176_400, 88_200)] {
            let sound = IntegerSound.tones(frameCount: rate * 2, sampleRate: rate, bitDepth: 16)
            let path = try directory.write(try sound.flac(), as: "b.flac")
            let end = await playToEnd([PlayableItem(file: path)], into: directory.file("out.wav"))
            #expect(end == .stopped(.endOfFile))
            let made = try WAVSamples(directory.file("out.wav"))
            #expect(made.sampleRate == output)
            // The resampler holds back a few samples.
            #expect(abs(made.samples.count / 2 - 2 * output) < 64, "\(rate)")
        }
    }

    @Test("A remote file is played from a position with a few ranges", arguments: [30.0, 81.234, 99.5])
    func remote(seconds: Double) async throws {
        // Half of it is silent, so that a position is not where the share of the bytes is.
        let tones = IntegerSound.tones(frameCount: 100 * 44_100, seed: 4)
        let channels = tones.channels.map { channel in
            channel.enumerated().map { $0.offset < 50 * 44_100 ? 0 : $0.element }
        }
        let sound = IntegerSound(sampleRate: 44_100, channels: channels, bitDepth: 16)
        let file = try sound.flac(["-T", "REPLAYGAIN_TRACK_GAIN=-3.50 dB", "-T", "replaygain_track_peak=0.5"])
        let directory = try TemporaryDirectory()
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }, { $0.normalization = .off }) { scene in
            scene.server.serve("http://s/a.flac", .init(bytes: file))
            await scene.engine.play([scene.item("http://s/a.flac")], from: seconds)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            let facts = scene.events.compactMap {
                if case .factsChanged(let facts) = $0.event { facts } else { nil }
            }
            let known = try #require(facts.first)
            #expect(known.isExact && known.durationSeconds == 100)
            #expect(known.replayGain?.trackGainDB == -3.5 && known.replayGain?.trackPeak == 0.5)
            // A few estimates, not a search through the file.
            #expect(scene.server.requests.count < 12)
        }
        let first = Int((seconds * 44_100).rounded()) * 2
        #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, Self.truth(sound)[first...]) == nil)
    }

    @Test("Missing frames are silent, and what follows is heard at its time")
    func gap() async throws {
        let directory = try TemporaryDirectory()
        let sound = IntegerSound.tones(frameCount: 4 * 44_100)
        let bytes = try sound.flac(["-b", "1152"])
        // Several frames in the middle are overwritten.
        var damaged = bytes
        for index in bytes.count / 2..<bytes.count / 2 + 20_000 { damaged[index] = 0 }
        let path = try directory.write(damaged, as: "a.flac")
        #expect(
            await playToEnd([PlayableItem(file: path)], into: directory.file("out.wav"))
                == .stopped(.endOfFile))
        let made = try WAVSamples(directory.file("out.wav")).samples
        let truth = Self.truth(sound)
        #expect(made.count == truth.count)
        #expect(made.prefix(truth.count / 3) == truth.prefix(truth.count / 3))
        #expect(made.suffix(truth.count / 3) == truth.suffix(truth.count / 3))
        #expect(made != truth)
    }

    @Test("A truncated file plays up to its end, and a file without frames is an error")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let bytes = try IntegerSound.tones(frameCount: 5 * 44_100).flac(["-b", "4096"])
        let path = try directory.write(Array(bytes.prefix(bytes.count * 2 / 3)), as: "cut.flac")
        #expect(
            await playToEnd([PlayableItem(file: path)], into: directory.file("out.wav"))
                == .stopped(.endOfFile))
        let made = try WAVSamples(directory.file("out.wav"))
        #expect(made.samples.count % (2 * 4096) == 0 && made.samples.count > 5 * 44_100)
        let empty = try directory.write(Array(bytes.prefix(60)), as: "empty.flac")
        let end = await playToEnd([PlayableItem(file: empty)], into: directory.file("none.wav"))
        guard case .stopped(.error(let error)) = end else {
            Issue.record("\(end)")
            return
        }
        #expect(error.code == .unsupported && "\(error)".contains("no frames"))
    }
}
