import StreamClient
import Testing

@Suite("Null output")
struct NullSinkTests {
    @Test("In real-time mode it takes as long as playback")
    func paced() async throws {
        let sink = NullSink()
        _ = await sink.open(AudioFormat(sampleRate: 48_000, channelCount: 2))
        let clock = ContinuousClock()
        let took = try await clock.measure {
            for _ in 0..<24 { try await sink.write([Float](repeating: 0, count: 2 * 1000)) }
            await sink.drain()
        }
        #expect(took >= .milliseconds(490))
        #expect(await sink.takenFrames == 24_000)
    }

    @Test("In fast mode it does not wait")
    func unpaced() async throws {
        let sink = NullSink(isRealTime: false)
        _ = await sink.open(AudioFormat(sampleRate: 48_000, channelCount: 2))
        // One hour of audio.
        for _ in 0..<3600 { try await sink.write([Float](repeating: 0, count: 2 * 48_000)) }
        #expect(await sink.takenFrames == 3600 * 48_000)
        #expect(await sink.latencySeconds == 0)
    }
}
