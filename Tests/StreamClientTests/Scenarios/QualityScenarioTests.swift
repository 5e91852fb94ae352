import ClientTestSupport
import StreamClient
import TestSupport
import Testing

/// "Streaming Performance" and "Bandwidth Management" of the streaming playback specification, scenario by scenario.
@Suite("Scenarios: performance and bandwidth", .timeLimit(.minutes(30)))
struct QualityScenarioTests {
    static let master = "http://server/track/master.m3u8"

    /// Five minutes in segments of about 6 s, in two qualities.
    static func scene(
        bitsPerSecond: Double = 5_000_000, _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        let high = try await segments(LongRecording.short.value)
        let low = try await segments(LongRecording.lowShort.value)
        try await Scene.play(bitsPerSecond: bitsPerSecond) { scene in
            scene.server.serve(
                master,
                text: """
                    #EXTM3U
                    #EXT-X-STREAM-INF:BANDWIDTH=140000,CODECS="mp4a.40.34"
                    high.m3u8
                    #EXT-X-STREAM-INF:BANDWIDTH=56000,CODECS="mp4a.40.34"
                    low.m3u8
                    """, type: "application/vnd.apple.mpegurl")
            for (name, parts) in [("high", high), ("low", low)] {
                var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n"
                for number in 0..<50 {
                    let part = parts[number % parts.count]
                    text += "#EXTINF:\(Double(part.frames * 1152) / 44_100),\n\(name)-\(number).mp3\n"
                    scene.server.serve(
                        "http://server/track/\(name)-\(number).mp3", .init(bytes: part.bytes))
                }
                scene.server.serve(
                    "http://server/track/\(name).m3u8", text: text + "#EXT-X-ENDLIST\n",
                    type: "application/vnd.apple.mpegurl")
            }
            try await body(scene)
        }
    }

    /// Splits a stream after every 229 frames.
    private static func segments(_ bytes: [UInt8]) throws -> [(bytes: [UInt8], frames: Int)] {
        var parts: [(bytes: [UInt8], frames: Int)] = []
        var position = 0
        var part: [UInt8] = []
        var count = 0
        while let length = FrameLength.of(bytes, at: position) {
            part += bytes[position..<position + length]
            position += length
            count += 1
            if count == 229 {
                parts.append((part, count))
                (part, count) = ([], 0)
            }
        }
        return parts
    }

    @Test("Initial Buffer Before Playback: fast")
    func fastStart() async throws {
        try await CoreStreamingTests.scene(bitsPerSecond: 1_100_000) { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            #expect(scene.clock.seconds < 2)
            let ahead = await scene.ahead
            #expect(ahead >= 5)
        }
    }

    @Test("Initial Buffer Before Playback: slow")
    func slowStart() async throws {
        try await CoreStreamingTests.scene(bitsPerSecond: 300_000) { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .waitingForData, upTo: 10))
            await scene.wait(1)
            // Progress is shown while waiting.
            let early = await scene.ahead
            #expect(early > 0.5 && early < 10)
            #expect(await scene.wait(for: .playing, upTo: 20))
            let ahead = await scene.ahead
            #expect((10...11).contains(ahead))
        }
    }

    @Test("Adaptive Bitrate Streaming")
    func adaptive() async throws {
        try await Self.scene { scene in
            await scene.engine.play([scene.item(Self.master)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 140_000)
            await scene.wait(20)
            scene.server.bitsPerSecond = 110_000
            await scene.wait(100)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 56_000)
            scene.server.bitsPerSecond = 5_000_000
            await scene.wait(60)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 140_000)
            #expect(!scene.states.contains(.buffering))
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 300))
        }
    }

    @Test("Preloading Next Episode")
    func preloading() async throws {
        let bytes = try await LongRecording.bytes(repetitions: 12)
        let frames = try #require(FrameLength.count(bytes))
        let sink = MutexBox<NullSink?>(nil)
        try await Scene.play(sink: { clock in
            let made = NullSink(clock: clock)
            sink.value = made
            return made
        }) { scene in
            for name in ["a", "b"] { scene.server.serve("http://server/\(name)", .init(bytes: bytes)) }
            await scene.engine.play([scene.item("http://server/a"), scene.item("http://server/b")])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(100)
            #expect(!scene.server.requests.contains { $0.address.hasSuffix("/b") })
            await scene.wait(30)
            // Less than two minutes remain.
            #expect(scene.server.requests.contains { $0.address.hasSuffix("/b") })
            #expect(scene.server.sentBytes < (130 + 30 + 25) * 16_000)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 600))
            #expect(!scene.states.contains(.buffering))
            // Gapless: exactly as many samples as the two tracks have.
            let taken = await sink.value?.takenFrames
            #expect(taken == 2 * frames * 1152)
            let played = Double(2 * frames * 1152) / 44_100
            let began = try #require(scene.time(of: .playing))
            let ended = try #require(scene.time(of: .stopped(.endOfFile)))
            #expect(abs(ended - began - played) < 0.1)
        }
    }

    @Test("Streaming Quality on Cellular")
    func cellular() async throws {
        try await Self.scene { scene in
            await scene.engine.networkChanged(to: .cellular)
            await scene.engine.play([scene.item(Self.master)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(120)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 56_000)
            #expect(!scene.server.requests.contains { $0.address.contains("high") })
        }
    }

    @Test("Streaming Quality on Wi-Fi")
    func wifi() async throws {
        try await Self.scene { scene in
            await scene.engine.networkChanged(to: .wifi)
            await scene.engine.play([scene.item(Self.master)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(120)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 140_000)
            #expect(!scene.server.requests.contains { $0.address.contains("low") })
        }
    }

    @Test(
        "Bandwidth Estimation and Adjustment",
        arguments: [(4_000_000.0, 30.0), (1_000_000, 20), (300_000, 10)])
    func estimation(_ bitsPerSecond: Double, _ target: Double) async throws {
        try await CoreStreamingTests.scene(bitsPerSecond: bitsPerSecond) { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 30))
            await scene.wait(40)
            let measured = scene.events.compactMap { entry -> (Double, Double)? in
                if case .bandwidthMeasured(let bits) = entry.event { (entry.seconds, bits) } else { nil }
            }
            let last = try #require(measured.last)
            #expect(abs(last.1 / bitsPerSecond - 1) < 0.2)
            // Updated every five seconds, as soon as there is a measurement.
            let gaps = zip(measured.dropFirst(), measured).map { $0.0.0 - $0.1.0 }
            #expect(measured.count >= 5 && gaps.allSatisfy { $0 < 6.5 })
            for _ in 0..<60 {
                let ahead = await scene.ahead
                #expect(abs(ahead - target) < 1.5)
                await scene.wait(1)
            }
        }
    }
}
