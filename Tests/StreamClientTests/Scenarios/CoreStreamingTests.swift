import ClientTestSupport
import StreamClient
import TestSupport
import Testing

/// "Core Streaming Behavior" and "HTTP Range Request Support" of the streaming playback specification, scenario by scenario.
@Suite("Scenarios: core streaming", .timeLimit(.minutes(30)))
struct CoreStreamingTests {
    static let address = "http://server/episode.mp3"

    /// Ten minutes of audio on the server.
    static func scene(
        bitsPerSecond: Double = 5_000_000, _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        let bytes = try await LongRecording.bytes(repetitions: 30)
        try await Scene.play(bitsPerSecond: bitsPerSecond) { scene in
            scene.server.serve(address, .init(bytes: bytes))
            try await body(scene)
        }
    }

    @Test("Starting Stream Playback")
    func starting() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            #expect(
                scene.states == [.starting, .waitingForData, .waitingForOutput, .playing])
            #expect(scene.server.requests.first?.address == Self.address)
            let ahead = await scene.ahead
            #expect(ahead >= 5)
            let now = await scene.engine.snapshot()
            #expect(now.notice == .streaming && now.notice?.description == "Streaming")
            #expect((now.bufferedSeconds?.upperBound ?? 0) >= 5)
            #expect(abs((now.durationSeconds ?? 0) - 600) < 5)
        }
    }

    @Test("Buffering During Playback")
    func bufferingDuringPlayback() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(15)
            for _ in 0..<300 {
                let ahead = await scene.ahead
                #expect((15...31).contains(ahead))
                await scene.wait(1)
            }
            #expect(!scene.states.contains(.buffering))
            let position = await scene.position
            #expect(abs(position - 315) < 1)
        }
    }

    @Test("Buffer Progress Indication")
    func progress() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(30)
            let now = await scene.engine.snapshot()
            let buffered = try #require(now.bufferedSeconds)
            #expect(abs(now.positionSeconds - 30) < 0.5)
            #expect(buffered.contains(now.positionSeconds))
            #expect(buffered.upperBound > now.positionSeconds + 15)
        }
    }

    @Test("Seeking While Streaming: within the buffer", arguments: [-20.0, 12, -1, 0.5])
    func seekingWithin(_ distance: Double) async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(40)
            let requests = scene.server.requests.count
            let target = await scene.position + distance
            let asked = scene.clock.seconds
            await scene.engine.seek(to: target)
            #expect(await scene.wait(for: .playing, upTo: 1))
            let resumed = try #require(scene.time(of: .playing, after: asked))
            #expect(resumed - asked <= 0.1)
            await scene.wait(0.5)
            let position = await scene.position
            #expect(abs(position - target - 0.5) < 0.2)
            #expect(scene.server.requests.count == requests)
        }
    }

    @Test("Seeking While Streaming: outside the buffer")
    func seekingOutside() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(10)
            let asked = scene.clock.seconds
            await scene.engine.seek(to: 400)
            #expect(await scene.wait(for: .playing, upTo: 5))
            #expect(scene.clock.seconds - asked < 2)
            let position = await scene.position
            #expect(abs(position - 400) < 0.3)
            #expect(scene.states.contains(.stopping(.temporary)))
        }
    }

    @Test("Seeking with Range Requests")
    func ranges() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            let before = scene.server.requests.count
            await scene.engine.seek(to: 500)
            #expect(await scene.wait(for: .playing, upTo: 5))
            let made = scene.server.requests.dropFirst(before)
            #expect(made.count == 1)
            // 128 kbit/s: 16,000 bytes per second, and a few frames more at the start.
            let first = try #require(made.first?.range?.first)
            #expect((500 * 16_000 - 10_000...500 * 16_000).contains(first))
            // Nothing from the 470 s in between was sent.
            #expect(scene.server.sentBytes < 80 * 16_000)
        }
    }

    @Test("Resume from Position")
    func resumeFromPosition() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.address)], from: 330)
            #expect(await scene.wait(for: .playing, upTo: 5))
            let position = await scene.position
            #expect(abs(position - 330) < 0.3)
            let range = try #require(scene.server.requests.last?.range)
            #expect((330 * 16_000 - 10_000...330 * 16_000).contains(range.first))
            // The start of the file determines the positions of its frames; nothing else before the position is requested.
            #expect(scene.server.sentBytes < 60 * 16_000)
            await scene.wait(5)
            let later = await scene.position
            #expect(abs(later - 335) < 0.3)
        }
    }
}
