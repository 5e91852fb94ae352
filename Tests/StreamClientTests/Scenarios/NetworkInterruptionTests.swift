import ClientTestSupport
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
            // Playback continues without a notice while audio is buffered.
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
        "Network Recovery and Resume: any kind and length of outage",
        arguments: [SimulatedServer.Outage.refused, .silent, .closed], [25.0, 27.3, 1000.7])
    func longOutage(_ outage: SimulatedServer.Outage, _ away: Double) async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(10)
            scene.server.outage = outage
            scene.server.isOnline = false
            #expect(await scene.wait(for: .buffering, upTo: 60))
            let position = await scene.position
            await scene.wait(away)
            #expect(await scene.engine.snapshot().notice == .noConnection)
            scene.server.isOnline = true
            let restored = scene.clock.seconds
            #expect(await scene.wait(for: .playing, upTo: 20))
            #expect(scene.clock.seconds - restored <= 3)
            let resumed = await scene.position
            #expect(abs(resumed - position) < 0.2)
        }
    }

    @Test("Network Recovery and Resume: playback survives a host that is unreachable and then busy")
    func restart() async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(10)
            scene.server.isOnline = false
            #expect(await scene.wait(for: .buffering, upTo: 60))
            await scene.wait(60)
            scene.server.fail(.status(503), .status(503))
            scene.server.isOnline = true
            #expect(await scene.wait(for: .playing, upTo: 15))
        }
    }

    @Test(
        "Network Recovery and Resume: a stream starts although its playlist could not be fetched at first",
        arguments: [
            SimulatedServer.Outage.refused, .silent, .closed,
        ])
    func playlist(_ outage: SimulatedServer.Outage) async throws {
        try await QualityScenarioTests.scene { scene in
            scene.server.outage = outage
            scene.server.isOnline = false
            await scene.engine.play([scene.item(QualityScenarioTests.master)])
            await scene.wait(25.6)
            #expect(await scene.engine.snapshot().notice == .noConnection)
            scene.server.isOnline = true
            let restored = scene.clock.seconds
            #expect(await scene.wait(for: .playing, upTo: 20))
            #expect(scene.clock.seconds - restored <= 3)
        }
    }

    @Test("A failed preload is retried until the track is needed", arguments: [500, 503])
    func preload(_ status: Int) async throws {
        let short = try await LongRecording.short.value
        try await Scene.play { scene in
            var next = SimulatedServer.Resource(bytes: short)
            next.status = status
            scene.server.serve(
                "http://server/1.mp3", .init(bytes: try await LongRecording.bytes(repetitions: 3)))
            scene.server.serve("http://server/2.mp3", next)
            await scene.engine.play([
                scene.item("http://server/1.mp3"), scene.item("http://server/2.mp3"),
            ])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(40)
            #expect(scene.server.requests.count { $0.address.hasSuffix("2.mp3") } > 4)
            next.status = nil
            scene.server.serve("http://server/2.mp3", next)
            #expect(await scene.wait(upTo: 30) { await $0.engine.snapshot().index == 1 })
            #expect(!scene.states.contains(.buffering))
            #expect(scene.notices.allSatisfy { $0 == .streaming || $0 == nil })
        }
    }

    @Test(
        "Network Recovery and Resume: at once if the system reports the network change",
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
            // Without any user action.
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
