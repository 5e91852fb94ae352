import ClientTestSupport
import StreamClient
import TestSupport
import Testing

/// A queue played from a server in memory to an output in memory.
@Suite("Queue in memory", .timeLimit(.minutes(30)))
struct QueueInMemoryTests {
    @Test("A queue plays to its end over a failing network, and matches mpg123 sample for sample")
    func queue() async throws {
        let directory = try TemporaryDirectory()
        var truth: [Float] = []
        var files: [[UInt8]] = []
        // Lengths that end within a frame.
        for (number, length) in [44_100 * 4 + 17, 44_100 * 3 + 1000, 30_001].enumerated() {
            let file = try Encoders.lame(
                PCM.music(frameCount: length, seed: UInt64(number + 1)), ["-b", "128"])
            truth += try WAVSamples.mpg123(try directory.write(file, as: "\(number).mp3")).samples
            files.append(file)
        }
        let (tracks, expected) = (files, truth)
        let sink = MemorySink()
        try await Scene.play(sink: { _ in sink }, planner: nil) { scene in
            for (number, file) in tracks.enumerated() {
                scene.server.serve("http://attic/\(number).mp3", .init(bytes: file))
            }
            scene.server.fail(.complete, .cut(afterBytes: 20_000), .status(503))
            await scene.engine.play(tracks.indices.map { scene.item("http://attic/\($0).mp3") })
            #expect(await scene.wait(for: .stopped(.endOfFile)))
            let started = scene.events.compactMap { entry -> Int? in
                if case .itemStarted(_, let index) = entry.event { index } else { nil }
            }
            #expect(started == [0, 1, 2])
        }
        let samples = await sink.samples
        #expect(samples.count == expected.count)
        #expect(WAVSamples.firstDifference(samples, expected) == nil)
        #expect(await sink.formats == [AudioFormat(sampleRate: 44_100, channelCount: 2)])
    }
}
