import StreamClient
import TestSupport
import Testing

/// The phases of playback. Steps that are not tried here have no method, so that they do not compile.
@Suite("Phases of playback")
struct PlaybackPhaseTests {
    @Test("From the beginning to the end and back")
    func ways() {
        guard case .initialized(let initialized) = PlaybackPhase.start else {
            Issue.record("does not begin at the beginning")
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

    @Test("Errors that pass are told from those that do not")
    func transience() {
        let policy = RetryPolicy()
        let busy = PlaybackError(.serverBusy, "")
        #expect((0...3).map { policy.delay(after: busy, attempt: $0) } == [2, 5, 10, nil])
        let failed = PlaybackError(.serverError, "")
        #expect((0...3).map { policy.delay(after: failed, attempt: $0) } == [5, 5, 5, nil])
        #expect(policy.delay(after: PlaybackError(.notFound, ""), attempt: 0) == nil)
        #expect(policy.delay(after: PlaybackError(.noConnection, ""), attempt: 100) == 2)
        #expect(policy.delay(after: PlaybackError(.noConnection, ""), attempt: 150) == nil)
    }
}
