import TestSupport
import Testing

/// User controls and the system's media controls.
extension PlaybackStreamingTests {
    @Test("Pause, speed, sleep, repeat, next")
    func listening() async throws {
        let told = try await PlaybackPage.told("listening")
        #expect(try told.text("paused") == "paused")
        #expect(try told.number("drift") == 0)
        #expect(try told.number("resumedBy") > 0)
        // A busy machine may occasionally schedule audio too late; the exact speed is measured with offline rendering elsewhere.
        #expect(try told.number("speed") > 1.2 && told.number("speed") < 2.2)
        #expect(try told.number("isAsleep") == 1)
        #expect(try told.text("repeated") == "Long")
        #expect(try told.text("next") == "Other")
        #expect(try told.text("stopped") == "stopped")
    }

    @Test("Playback stops after the last track, reports the end once, and can be started again")
    func endOfQueue() async throws {
        let told = try await PlaybackPage.told("endOfQueue")
        #expect(try told.number("ends") == 1)
        #expect(try told.number("position") == 0)
        #expect(try told.text("again") == "playing")
        #expect(try told.number("all") == 2)
        #expect(try told.number("isAsleep") == 1)
        #expect(try told.text("errors").isEmpty)
    }

    @Test("The queue: play next, append, move, remove, shuffle, repeat, clear and undo")
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
        // Items added since the queue was cleared come last; if one of them is playing, they come first.
        #expect(try told.text("restored") == "ybcxdefzf")
        #expect(try told.number("isSameOrder") == 1)
        #expect(try told.text("restoredOrder") == "ybcxdefz")
        #expect(try told.text("restoredLate") == "noybcxdefzn")
    }

    @Test("Removing the last song while it plays ends playback; with repeat, the first one plays")
    func removeLast() async throws {
        let told = try await PlaybackPage.told("removeLast")
        #expect(try told.text("state") == "stopped")
        #expect(try told.text("title") == "Other")
        #expect(try told.number("decks") == 0)
        #expect(try told.number("ends") == 1)
        #expect(try told.text("again") == "Other")
        #expect(try told.text("repeated") == "Other")
        #expect(try told.text("empty") == "stopped")
    }

    @Test("Memory use stays limited during long playback")
    func memory() async throws {
        let told = try await PlaybackPage.told("memory")
        #expect(try told.number("decoded") <= 8)
        #expect(try told.number("scheduled") <= 8)
        #expect(try told.number("left") <= told.number("all") / 4)
        #expect(try told.number("keepsPlace") == 1)
        #expect(try told.number("timeline") <= 16)
    }

    @Test("The media session shows the current track and controls playback")
    func mediaSession() async throws {
        let told = try await PlaybackPage.told("mediaSession")
        #expect(try told.text("title") == "Long")
        #expect(try told.text("state") == "playing")
        #expect(try told.text("paused") == "paused")
        #expect(try abs(told.number("position") - 12) < 1)
        #expect(try told.text("next") == "Other")
    }
}
