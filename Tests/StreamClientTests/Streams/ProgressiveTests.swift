import ClientTestSupport
import Foundation
import MPEGAudio
import TestSupport
import Testing

@testable import StreamClient

/// Files played from a position.
@Suite("Files from a position", .timeLimit(.minutes(30)))
struct ProgressiveTests {
    /// Kinds of streams: MPEG-1, 2 and 2.5, stereo and mono, constant and variable bit rate, and some with heavy use of the
    /// bit reservoir.
    static let kinds = [
        ["-b", "128"], ["-V", "4"], ["-b", "32", "--resample", "44.1"], ["-b", "320"],
        ["-b", "64", "-m", "m"],
        ["-V", "5", "--resample", "32"], ["-b", "128", "-p"], ["-b", "32", "--resample", "22.05"],
        ["-V", "6", "--resample", "24"], ["-b", "24", "--resample", "16", "-m", "m"],
        ["-b", "8", "--resample", "16", "-m", "m"], ["-b", "40", "--resample", "22.05", "-p"],
        ["-b", "16", "--resample", "11.025", "-m", "m"], ["-V", "7", "--resample", "12"],
        ["-b", "32", "--resample", "8"], ["-b", "8", "--resample", "8", "-m", "m"],
    ]

    @Test("A local file from any position matches a complete decode, bit for bit", arguments: kinds)
    func local(_ options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            try Encoders.lame(PCM.music(frameCount: 9 * 44_100 + 5, seed: 4), options), as: "a.mp3")
        let truth = try WAVSamples.mpg123(path)
        for seconds in [0.02, 1.5, 4.01, 7.777] {
            let out = directory.file("out.wav")
            let end = await playToEnd([PlayableItem(file: path)], from: seconds, into: out)
            #expect(end == .stopped(.endOfFile))
            let made = try WAVSamples(out)
            let first = Int((seconds * Double(truth.sampleRate)).rounded()) * truth.channelCount
            #expect(
                WAVSamples.firstDifference(made.samples, truth.samples[first...]) == nil, "from \(seconds) s")
        }
    }

    @Test(
        "Seeking within the buffer matches a complete decode, bit for bit",
        arguments: kinds)
    func within(_ options: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = try Encoders.lame(PCM.music(frameCount: 9 * 44_100 + 5, seed: 4), ["-t"] + options)
        let truth = try WAVSamples.mpg123(try directory.write(file, as: "a.mp3"))
        var feed = FrameFeed()
        feed.append(file)
        feed.finish()
        var store = FrameStore()
        store.begin(soundFrom: 0)
        var ticks = 0
        var number = 0
        while let unit = feed.next() {
            guard case .frame(let frame) = unit else { continue }
            let placed = MediaFrame(frame, startTicks: ticks, number: number)
            store.append(placed)
            ticks = placed.endTicks
            number += 1
        }
        let format = AudioFormat(sampleRate: truth.sampleRate, channelCount: truth.channelCount)
        let decoder = TrackDecoder(format: format)
        var random = SeededGenerator(seed: 5)
        // 10 ms from each position, all within the buffer.
        let length = truth.sampleRate / 100
        for _ in 0..<40 {
            let first = Int.random(in: 0..<truth.samples.count / truth.channelCount - length, using: &random)
            let sought = first * (StreamTime.ticksPerSecond / truth.sampleRate)
            let isThere = store.seek(to: sought)
            #expect(isThere)
            try decoder.begin(soundFrom: sought, keepsSamples: false)
            while let next = store.take() { try decoder.decode(next.frame) }
            decoder.finish(tailTrim: 0)
            #expect(decoder.position == sought)
            var made: [Float] = []
            decoder.take(length) { made = Array($0) }
            let wanted = truth.samples[(first * truth.channelCount)...].prefix(made.count)
            #expect(made.count == length * truth.channelCount)
            #expect(WAVSamples.firstDifference(made, wanted) == nil, "from \(first)")
        }
    }

    @Test(
        "A remote file with an Info frame is as exact, using a range", arguments: [30.0, 81.234],
        [
            ["-b", "128"], ["-b", "64", "-m", "m"], ["-b", "32", "--resample", "22.05"],
            ["-b", "16", "--resample", "8"],
        ])
    func remote(_ seconds: Double, _ options: [String]) async throws {
        let directory = try TemporaryDirectory()
        let file = try Encoders.lame(PCM.music(frameCount: 100 * 44_100, seed: 4), options)
        let path = try directory.write(file, as: "a.mp3")
        let out = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: out) }) { scene in
            scene.server.serve("http://s/a.mp3", .init(bytes: file))
            await scene.engine.play([scene.item("http://s/a.mp3")], from: seconds)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
            #expect(await scene.engine.snapshot().facts.isExact)
        }
        let truth = try WAVSamples.mpg123(path)
        let first = Int((seconds * Double(truth.sampleRate)).rounded()) * truth.channelCount
        #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, truth.samples[first...]) == nil)
    }

    @Test("With a variable bit rate the table of contents locates positions within a second")
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

    @Test("A server without range support works too, also from the middle")
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

    @Test("Free format is distinguished from files that are not MP3")
    func freeFormat() async throws {
        let directory = try TemporaryDirectory()
        let file = try Encoders.lame(PCM.music(frameCount: 10 * 44_100), ["--freeformat", "-b", "400"])
        let path = try directory.write(file, as: "free.mp3")
        let end = await playToEnd([PlayableItem(file: path)], into: directory.file("out.wav"))
        guard case .stopped(.error(let error)) = end else {
            Issue.record("unexpected end: \(end)")
            return
        }
        #expect(error.code == .unsupported && error.description.contains("free format"))
    }

    @Test(
        "Data that is not MP3 is reported as such",
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
