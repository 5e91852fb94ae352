import StreamClient
import TestSupport
import Testing

/// "Network Interruption Handling" of the streaming playback specification, scenario by scenario.
@Suite("Scenarios: network interruption", .timeLimit(.minutes(30)))
struct NetworkInterruptionTests {
    @Test("Network Loss During Playback")
    func loss() async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(20)
            scene.server.isOnline = false
            let ahead = await scene.ahead
            let before = await scene.position
            // It plays on, and nothing is said, as long as there is something to play.
            await scene.wait(ahead - 2)
            #expect(await scene.engine.state == .playing)
            #expect(!scene.notices.contains(.noConnection))
            #expect(await scene.wait(for: .buffering, upTo: 10))
            let notice = await scene.engine.snapshot().notice
            #expect(notice == .noConnection && notice?.description == "No Connection")
            let stopped = await scene.position
            #expect(abs(stopped - before - ahead) < 1)
            await scene.wait(60)
            let kept = await scene.position
            #expect(abs(kept - stopped) < 0.1)
        }
    }

    @Test("Network Recovery and Resume", arguments: [5.0, 61.3, 200])
    func recovery(_ away: Double) async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(10)
            scene.server.isOnline = false
            #expect(await scene.wait(for: .buffering, upTo: 60))
            let position = await scene.position
            await scene.wait(away)
            scene.server.isOnline = true
            let restored = scene.clock.seconds
            #expect(await scene.wait(for: .playing, upTo: 10))
            #expect(scene.clock.seconds - restored <= 3)
            #expect(await scene.engine.snapshot().notice == .streaming)
            let resumed = await scene.position
            #expect(abs(resumed - position) < 0.2)
        }
    }

    @Test(
        "Network Recovery and Resume: at once, where the system tells of the network",
        arguments: [30.1, 30.6, 31.1, 31.6, 32.1])
    func toldRecovery(_ away: Double) async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            scene.server.isOnline = false
            await scene.engine.networkChanged(to: .none)
            #expect(await scene.wait(for: .buffering, upTo: 60))
            await scene.wait(away)
            scene.server.isOnline = true
            await scene.engine.networkChanged(to: .wifi)
            let restored = scene.clock.seconds
            #expect(await scene.wait(for: .playing, upTo: 10))
            #expect(scene.clock.seconds - restored <= 1)
        }
    }

    @Test("Slow Network Buffering")
    func slow() async throws {
        try await CoreStreamingTests.scene(bitsPerSecond: 90_000) { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 60))
            #expect(await scene.wait(for: .buffering, upTo: 120))
            #expect(await scene.engine.snapshot().notice?.description == "Buffering...")
            let position = await scene.position
            // Nobody does anything.
            #expect(await scene.wait(for: .playing, upTo: 60))
            let resumed = await scene.position
            #expect(abs(resumed - position) < 0.2)
            let ahead = await scene.ahead
            #expect(ahead >= 10)
            #expect(await scene.engine.snapshot().notice == .streaming)
        }
    }

    @Test("Network Type Change (Wi-Fi to Cellular)")
    func typeChange() async throws {
        try await QualityScenarioTests.scene { scene in
            await scene.engine.networkChanged(to: .wifi)
            await scene.engine.play([scene.item(QualityScenarioTests.master)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(30)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 140_000)
            await scene.engine.networkChanged(to: .cellular)
            await scene.wait(60)
            #expect(await scene.engine.snapshot().facts.variantBandwidth == 56_000)
            #expect(!scene.states.contains(.buffering))
            #expect(await scene.engine.state == .playing)
        }
    }
}
