import AudioOutput
import Foundation
import StreamClient
import TestSupport
import Testing

/// Files from a moment on.
@Suite("Files from a moment on", .timeLimit(.minutes(30)))
struct ProgressiveTests {
    @Test(
        "A local file of MPEG-1 from any moment on is what a whole decode has there, bit for bit",
        arguments: [
            ["-b", "128"], ["-V", "4"], ["-b", "32", "--resample", "44.1"], ["-b", "320"],
        ], [0.02, 1.5, 7.777])
    func local(_ options: [String], _ seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            try Encoders.lame(PCM.music(frameCount: 9 * 44_100 + 5, seed: 4), options), as: "a.mp3")
        let out = directory.file("out.wav")
        let end = await LocalPlaybackTests.play([PlayableItem(file: path)], from: seconds, into: out)
        #expect(end == .stopped(.endOfFile))
        let made = try WAVSamples(out)
        let truth = try WAVSamples.mpg123(path)
        let first = Int((seconds * Double(truth.sampleRate)).rounded()) * truth.channelCount
        #expect(WAVSamples.firstDifference(made.samples, truth.samples[first...]) == nil)
    }

    @Test("A file on a server with an Info frame is as exact, by a range", arguments: [30.0, 81.234])
    func remote(_ seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let file = try Encoders.lame(PCM.music(frameCount: 100 * 44_100, seed: 4), ["-b", "128"])
        let path = try directory.write(file, as: "a.mp3")
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }) { scene in
            scene.server.serve("http://s/a.mp3", .init(bytes: file))
            await scene.engine.play([scene.item("http://s/a.mp3")], from: seconds)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            #expect(await scene.engine.snapshot().facts.isExact)
        }
        let truth = try WAVSamples.mpg123(path).samples
        let first = Int((seconds * 44_100).rounded()) * 2
        #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, truth[first...]) == nil)
    }

    @Test("With a variable bit rate the place is found by the table of contents, within a second")
    func table() async throws {
        let file = try Encoders.lame(PCM.music(frameCount: 100 * 44_100, seed: 4), ["-V", "3"])
        try await Scene.play { scene in
            scene.server.serve("http://s/a.mp3", .init(bytes: file))
            await scene.engine.play([scene.item("http://s/a.mp3")], from: 70)
            #expect(await scene.wait(for: .playing, upTo: 20))
            let began = scene.clock.seconds
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            #expect(abs(scene.clock.seconds - began - 30) < 1)
        }
    }

    @Test("A server without ranges is played too, from the middle as well")
    func withoutRanges() async throws {
        let bytes = try await LongRecording.bytes(repetitions: 5)
        try await Scene.play { scene in
            scene.server.serve("http://s/a.mp3", .init(bytes: bytes, hasRanges: false))
            await scene.engine.play([scene.item("http://s/a.mp3")], from: 50)
            #expect(await scene.wait(for: .playing, upTo: 20))
            await scene.wait(2)
            let position = await scene.position
            #expect(abs(position - 52) < 0.5)
        }
    }

    @Test(
        "What is no MP3 says so",
        arguments: [
            ("text/html", "<html>"), ("audio/aac", "x"), ("audio/mpeg", "no sound"), ("audio/mpeg", ""),
        ])
    func wrong(_ type: String, _ text: String) async throws {
        try await Scene.play { scene in
            scene.server.serve("http://s/a.mp3", text: text, type: type)
            await scene.engine.play([scene.item("http://s/a.mp3")])
            #expect(
                await scene.wait(upTo: 10) {
                    guard case .stopped(.error(let error)) = await $0.engine.state else { return false }
                    return [.notMP3, .unsupported].contains(error.code)
                })
        }
    }
}
