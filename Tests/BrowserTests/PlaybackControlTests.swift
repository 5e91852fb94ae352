import TestSupport
import Testing

/// What the listener does, and what the system shows of it.
extension PlaybackStreamingTests {
    @Test("Pause, speed, sleep, repeat, next")
    func listening() async throws {
        let told = try await PlaybackPage.told("listening")
        #expect(try told.text("paused") == "paused")
        #expect(try told.number("drift") == 0)
        #expect(try told.number("resumedBy") > 0)
        // A busy machine may come too late with the sound now and then; how exact the speed is, is rendered and measured elsewhere.
        #expect(try told.number("speed") > 1.2 && told.number("speed") < 2.2)
        #expect(try told.number("isAsleep") == 1)
        #expect(try told.text("repeated") == "Long")
        #expect(try told.text("next") == "Other")
        #expect(try told.text("stopped") == "stopped")
    }

    @Test("After the last track it stops, tells so once, and can be played again")
    func endOfQueue() async throws {
        let told = try await PlaybackPage.told("endOfQueue")
        #expect(try told.number("ends") == 1)
        #expect(try told.number("position") == 0)
        #expect(try told.text("again") == "playing")
        #expect(try told.number("all") == 2)
        #expect(try told.number("isAsleep") == 1)
        #expect(try told.text("errors").isEmpty)
    }

    @Test("The queue: next, last, moved, removed, mixed and put back, repeated")
    func queue() async throws {
        let told = try await PlaybackPage.told("queue")
        #expect(try told.text("added") == "abcxdefy")
        #expect(try told.text("moved") == "ybcxdefc")
        #expect(try told.text("first") == "c")
        #expect(try told.text("shuffled") == "bcdefxy")
        #expect(try told.text("unshuffled") == "ybcxdefc")
        #expect(try told.number("orders") > 30)
        #expect(try told.number("end") == 1)
        #expect(try told.text("again") == "y")
        #expect(try told.text("one") == "f")
        #expect(try told.text("cleared") == "f")
    }

    @Test("However much is heard, what is kept stays within bounds")
    func memory() async throws {
        let told = try await PlaybackPage.told("memory")
        #expect(try told.number("decoded") <= 8)
        #expect(try told.number("scheduled") <= 8)
        #expect(try told.number("left") <= told.number("all") / 4)
        #expect(try told.number("keepsPlace") == 1)
        #expect(try told.number("timeline") <= 16)
    }

    @Test("The lock screen and the keys show and control what is played")
    func mediaSession() async throws {
        let told = try await PlaybackPage.told("mediaSession")
        #expect(try told.text("title") == "Long")
        #expect(try told.text("state") == "playing")
        #expect(try told.text("paused") == "paused")
        #expect(try abs(told.number("position") - 12) < 1)
        #expect(try told.text("next") == "Other")
    }
}
