import ClientTestSupport
import StreamClient
import TestSupport
import Testing

/// "Error Handling" of the streaming playback specification, scenario by scenario.
@Suite("Scenarios: error handling", .timeLimit(.minutes(30)))
struct ErrorHandlingTests {
    @Test("Server Error (5xx)", arguments: [500, 502])
    func serverError(_ status: Int) async throws {
        try await CoreStreamingTests.scene { scene in
            scene.server.fail(.status(status), .status(status), .status(status), .status(status))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            await scene.wait(1)
            let notice = try #require(await scene.engine.snapshot().notice)
            #expect(notice.description.hasPrefix("Server Error - Unable to stream"))
            #expect(await scene.engine.state != .playing)
            #expect(await scene.waitForError(.serverError, upTo: 60))
            // Three more attempts, each five seconds after the previous failure.
            let times = scene.server.requests.map(\.time)
            #expect(times.count == 4)
            for (later, earlier) in zip(times.dropFirst(), times) {
                #expect(abs(later - earlier - 5) < 0.2)
            }
            #expect(await scene.engine.snapshot().notice?.description == "Server Error - Unable to stream")
            // The user presses "retry".
            await scene.engine.retry()
            #expect(await scene.wait(for: .playing, upTo: 5))
        }
    }

    @Test("Server Error (5xx): stopped playback resumes when the connection is restored")
    func serverErrorRecovery() async throws {
        try await CoreStreamingTests.scene { scene in
            scene.server.fail(
                .cut(afterBytes: 100_000), .status(502), .status(502), .status(502))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.waitForError(upTo: 60))
            let position = await scene.position
            await scene.wait(100)
            await scene.engine.connectionRestored()
            #expect(await scene.wait(for: .playing, upTo: 3))
            let resumed = await scene.position
            #expect(abs(resumed - position) < 0.3)
            // Playback stopped by the user remains stopped.
            await scene.engine.stop()
            #expect(await scene.wait(for: .stopped(.user), upTo: 5))
            await scene.engine.connectionRestored()
            await scene.wait(5)
            #expect(await scene.engine.state == .stopped(.user))
        }
    }

    @Test("No error is shown while audio is buffered")
    func silentRetries() async throws {
        try await CoreStreamingTests.scene { scene in
            scene.server.fail(.cut(afterBytes: 400_000), .status(503), .status(500))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(30)
            #expect(scene.server.requests.count == 4)
            #expect(!scene.states.contains(.buffering))
            #expect(scene.notices.allSatisfy { $0 == .streaming || $0 == nil })
        }
    }

    @Test(
        "Server Error (5xx): playback pauses when the buffer is empty, and resumes automatically",
        arguments: [500, 502, 503])
    func serverErrorPauses(_ status: Int) async throws {
        try await CoreStreamingTests.scene { scene in
            // Six seconds arrive; the following attempts fail, except for the last one.
            scene.server.fail(.cut(afterBytes: 100_000), .status(status), .status(status))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            let began = scene.clock.seconds
            #expect(await scene.wait(for: .buffering, upTo: 10))
            #expect(abs(scene.clock.seconds - began - 6) < 1)
            let notice = await scene.engine.snapshot().notice
            #expect(notice?.description == "Server Error - Unable to stream - Retrying...")
            let position = await scene.position
            #expect(await scene.wait(for: .playing, upTo: 30))
            let resumed = await scene.position
            #expect(abs(resumed - position) < 0.2)
            #expect(scene.server.requests.count == 4)
            #expect(scene.server.requests.last?.range?.first == 100_000)
            await scene.wait(30)
            #expect(await scene.engine.state == .playing)
            #expect(await scene.engine.snapshot().notice == .streaming)
        }
    }

    @Test("Not Found Error (404)")
    func notFound() async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item("http://server/gone.mp3")])
            #expect(await scene.waitForError(.notFound, upTo: 5))
            await scene.wait(60)
            #expect(scene.server.requests.count == 1)
            #expect(await scene.engine.snapshot().notice?.description == "Not Available")
        }
    }

    @Test("A track that the host refuses is passed over, but not a whole queue of them")
    func refused() async throws {
        try await CoreStreamingTests.scene { scene in
            let item = scene.item(CoreStreamingTests.address)
            scene.server.fail(.status(422))
            await scene.engine.play([item, item])
            #expect(await scene.wait(for: .playing, upTo: 5))
            #expect(scene.server.requests.count >= 2)
            #expect(await scene.engine.snapshot().index == 1)
        }
        try await CoreStreamingTests.scene { scene in
            let item = scene.item(CoreStreamingTests.address)
            scene.server.fail(
                .status(422), .status(422), .status(422), .status(422), .status(422), .status(422))
            await scene.engine.play([PlayableItem](repeating: item, count: 8))
            #expect(await scene.waitForError(.refused, upTo: 5))
            #expect(scene.server.requests.count == 6)
            #expect(await scene.engine.snapshot().index == 5)
        }
    }

    @Test("Timeout During Streaming")
    func timeout() async throws {
        try await CoreStreamingTests.scene { scene in
            scene.server.fail(.stall(afterBytes: 200_000))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 5))
            let stalled = scene.clock.seconds
            #expect(
                await scene.wait(upTo: 60) {
                    $0.notices.contains { $0?.description == "Connection timed out - Retrying..." }
                })
            #expect(abs(scene.clock.seconds - stalled - 30) < 2)
            #expect(await scene.wait(for: .playing, upTo: 20))
            await scene.wait(60)
            #expect(await scene.engine.state == .playing)
            // Playback resumed where it had stopped.
            let range = try #require(scene.server.requests.dropFirst().first?.range)
            #expect(range.first == 200_000)
        }
    }

    @Test("Automatic Retry on Transient Errors")
    func transientErrors() async throws {
        try await CoreStreamingTests.scene { scene in
            await scene.engine.play([scene.item(CoreStreamingTests.address)], from: 100)
            #expect(await scene.wait(for: .playing, upTo: 5))
            await scene.wait(5)
            let before = scene.server.requests.count
            // A position that is not buffered: each attempt fails.
            scene.server.fail(.cut(afterBytes: 0), .status(503), .cut(afterBytes: 0), .status(503))
            await scene.engine.seek(to: 300)
            #expect(await scene.waitForError(upTo: 60))
            let times = scene.server.requests.dropFirst(before).map(\.time)
            let delays = zip(times.dropFirst(), times).map { $0.0 - $0.1 }
            #expect(delays.count == 3)
            for (delay, wanted) in zip(delays, [2.0, 5, 10]) { #expect(abs(delay - wanted) < 0.2) }
            // The position is kept, and the user may retry.
            let position = await scene.position
            #expect(abs(position - 300) < 0.1)
            await scene.engine.retry()
            #expect(await scene.wait(for: .playing, upTo: 5))
            let resumed = await scene.position
            #expect(abs(resumed - 300) < 0.3)
        }
    }

    @Test("Automatic Retry on Transient Errors: short failures are not noticed")
    func passing() async throws {
        try await CoreStreamingTests.scene { scene in
            // More failures than retries: each success resets the count.
            scene.server.fail(
                .cut(afterBytes: 150_000), .status(503), .cut(afterBytes: 300_000), .cut(afterBytes: 100_000),
                .cut(afterBytes: 100_000))
            await scene.engine.play([scene.item(CoreStreamingTests.address)])
            #expect(await scene.wait(for: .playing, upTo: 20))
            await scene.wait(120)
            #expect(await scene.engine.state == .playing)
            let starts = scene.server.requests.map { $0.range?.first ?? 0 }
            #expect(starts == [0, 150_000, 150_000, 450_000, 550_000, 650_000])
        }
    }
}
