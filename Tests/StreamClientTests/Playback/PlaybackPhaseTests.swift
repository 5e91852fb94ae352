import StreamClient
import TestSupport
import Testing

/// The phases of playback. Transitions that are not tested here have no method, so they do not compile.
@Suite("Phases of playback")
struct PlaybackPhaseTests {
    @Test("All transitions from start to end and back")
    func ways() {
        guard case .initialized(let initialized) = PlaybackPhase.start else {
            Issue.record("unexpected initial phase")
            return
        }
        let waiting = initialized.start().opened()
        let playing = waiting.ready().outputStarted()
        #expect(PlaybackPhase.playing(playing).state == .playing)
        #expect(PlaybackPhase.buffering(playing.starve()).state == .buffering)
        #expect(PlaybackPhase.waitingForOutput(playing.starve().ready()).state == .waitingForOutput)
        #expect(PlaybackPhase.waitingForData(playing.pause().resume()).state == .waitingForData)
        #expect(PlaybackPhase.interrupting(playing.interrupt()).state == .stopping(.temporary))
        let error = PlaybackError(.timedOut, "")
        let stopping = playing.stop(.error(error))
        #expect(PlaybackPhase.stopping(stopping).state == .stopping(.error(error)))
        #expect(PlaybackPhase.stopped(stopping.finished()).state == .stopped(.error(error)))
        #expect(PlaybackPhase.initialized(stopping.finished().reset()).state == .initialized)
        #expect(PlaybackPhase.starting(stopping.finished().start()).state == .starting)
    }

    @Test("Transient errors are distinguished from permanent ones")
    func transience() {
        let policy = RetryPolicy()
        let busy = PlaybackError(.serverBusy, "")
        #expect((0...3).map { policy.delay(after: busy, attempt: $0) } == [2, 5, 10, nil])
        let failed = PlaybackError(.serverError, "")
        #expect((0...3).map { policy.delay(after: failed, attempt: $0) } == [5, 5, 5, nil])
        #expect(policy.delay(after: PlaybackError(.notFound, ""), attempt: 0) == nil)
        #expect(policy.delay(after: PlaybackError(.noConnection, ""), attempt: 100) == 2)
        #expect(policy.delay(after: PlaybackError(.noConnection, ""), attempt: 1_000_000) == 2)
        #expect(
            (0...4).map { policy.delay(after: busy, attempt: $0, isNeeded: false) } == [2, 5, 10, 10, 10])
        #expect(policy.delay(after: PlaybackError(.unauthorized, ""), attempt: 0, isNeeded: false) == nil)
    }
}
