import Foundation
import TestSupport
import Testing

/// Streaming on good and bad networks, one test per scenario.
@Suite("Streaming playback", .serialized, .playbackPage(PlaybackSounds.tracks), .timeLimit(.minutes(30)))
struct PlaybackStreamingTests {
    @Test("Starting stream playback")
    func starting() async throws {
        let told = try await PlaybackPage.told("startingStreamPlayback")
        #expect(try told.number("ahead") >= 5)
        #expect(try told.text("states") == "loading playing")
        #expect(try told.number("ranges") >= 1)
        #expect(try told.number("whole") == 0)
    }

    @Test("Buffering during playback")
    func buffering() async throws {
        let told = try await PlaybackPage.told("bufferingDuringPlayback")
        // 15 to 30 seconds are buffered ahead during playback.
        #expect(try told.number("least") >= 15)
        #expect(try told.number("most") <= 30)
        #expect(try told.number("interruptions") == 0)
        #expect(try abs(told.number("played") - told.number("elapsed")) < 0.5)
    }

    @Test("Buffer progress indication")
    func progress() async throws {
        let told = try await PlaybackPage.told("bufferProgressIndication")
        #expect(try told.number("from") == 0)
        #expect(try told.number("to") > 15)
        // The second range begins with the segment that contains the seek position.
        #expect(try (114...120).contains(told.number("second")))
        // The number of events depends on how the segments arrive.
        #expect(try told.number("told") >= 2)
    }

    @Test("Seeking while streaming")
    func seeking() async throws {
        let told = try await PlaybackPage.told("seekingWhileStreaming")
        // Seeking within the buffer needs no network; there was none. Benchmarks/player measures how long it takes.
        #expect(try told.number("within") < 30)
        #expect(try told.number("back") < 30)
        #expect(try told.number("isBuffering") == 1)
        #expect(try abs(told.number("position") - 250) < 0.5)
    }

    @Test("Network loss during playback")
    func loss() async throws {
        let told = try await PlaybackPage.told("networkLossDuringPlayback")
        // The buffer is played to its end without an error message.
        #expect(try told.number("errors") == 0)
        #expect(try abs(told.number("position") - told.number("end")) < 0.01)
        #expect(try told.number("drift") == 0)
        #expect(try told.text("message") == "No Connection")
    }

    @Test("If an address of the host fails within a track, playback continues at the next one, without a gap")
    func failover() async throws {
        let told = try await PlaybackPage.told("failover", [PlaybackPage.hostAddress])
        // The first address was cut off within a response; the second one continued behind what had arrived.
        #expect(try (1..<300_000).contains(Int(told.number("first"))))
        #expect(try told.number("foreign") == 0)
        #expect(try told.number("frames") == told.number("expected"))
        #expect(try told.number("different") == 0)
        #expect(try told.text("states") == "playing")
        #expect(try told.number("gained") > 5)
        // Requests time out after 30 seconds.
        #expect(try (3..<25).contains(told.number("stall")))
        #expect(try told.number("isElsewhere") == 1)
    }

    @Test("Network recovery and resume")
    func recovery() async throws {
        let told = try await PlaybackPage.told("networkRecoveryAndResume")
        #expect(try told.number("resumed") < 30)
        #expect(try abs(told.number("jump")) < 0.1)
        #expect(try told.text("message").isEmpty)
    }

    @Test("Slow network buffering")
    func slow() async throws {
        let told = try await PlaybackPage.told("slowNetworkBuffering")
        // The page shows how much has arrived, as "Buffering 40 %": the scenario waits for a number between 1 and 99.
        #expect(try told.text("message") == "Buffering…")
        #expect(try told.number("drift") == 0)
        #expect(try abs(told.number("jump")) < 0.1)
        #expect(try told.number("isOver") == 1)
    }

    @Test("The next three tracks are downloaded whole, unless the connection is metered")
    func prefetch() async throws {
        let told = try await PlaybackPage.told("prefetch")
        #expect(try told.number("whole") == 3)
        #expect(try told.number("beyond") == 0)
        #expect(try told.number("offline") == 1)
        let metered = try await PlaybackPage.told("noPrefetch")
        #expect(try metered.number("known") == 1)
    }

    @Test("Network type change")
    func change() async throws {
        let told = try await PlaybackPage.told("networkTypeChange")
        #expect(try told.number("interruptions") == 0)
        #expect(try told.number("errors") == 0)
    }

    @Test("Initial buffer before playback")
    func initial() async throws {
        let told = try await PlaybackPage.told("initialBufferBeforePlayback")
        #expect(try told.number("fastAhead") >= 4.9)
        #expect(try told.number("slowAhead") >= 4.9)
        #expect(try told.number("beforeEnough") == 0)
        #expect(try told.text("message") == "Loading…")
    }

    @Test("Preloading next episode")
    func preloading() async throws {
        let told = try await PlaybackPage.told("preloadingNextTrack")
        // Not before the last two minutes; then ten seconds, although the current track is not completely buffered.
        #expect(try told.number("early") == 1)
        #expect(try told.number("here") >= 10)
        #expect(try told.number("gap") == 1)
        #expect(try told.number("seam") == 0)
        #expect(try told.number("interruptions") == 0)
        #expect(try told.text("state") == "playing")
    }

    @Test("Bandwidth estimation and adjustment")
    func bandwidth() async throws {
        let told = try await PlaybackPage.told("bandwidthEstimation")
        for (name, seconds, bits) in [("fast", 30.0, 2.4e6), ("medium", 20, 1e6), ("slow", 10, 4e5)] {
            #expect(try told.number("\(name)Ahead") == seconds)
            #expect(try abs(told.number("\(name)Bits") / bits - 1) < 0.01)
            // With chunks every 0.1 s, the estimate is updated with the first one after five seconds.
            #expect(try (5...5.2).contains(told.number("\(name)Interval")))
        }
        // 40 kB/s are 320 kbit/s; a busy machine achieves less, and system buffers make the first estimate seem faster.
        #expect(try told.number("liveBits") < 1e6)
        #expect(try told.number("mostAhead") <= 20.1)
    }

    @Test("Seeking with range requests")
    func ranges() async throws {
        let told = try await PlaybackPage.told("seekingWithRangeRequests")
        #expect(try told.number("first") == told.number("wanted"))
        #expect(try told.number("skipped") == 0)
        #expect(try told.number("hole") == 2)
        #expect(try told.number("wasted") <= 1)
    }

    @Test("Resume from position")
    func resume() async throws {
        let page = try #require(PlaybackPage.current)
        let before = try await page.run("resumeFromPositionBefore")
        try await page.reload()
        let told = try await page.run("resumeFromPosition")
        #expect(try told.number("isThere") == 1)
        #expect(try abs(told.number("shown") - before.number("position")) < 0.5)
        #expect(try told.text("title") == "Long")
        #expect(try told.number("count") == 2)
        #expect(try told.number("requestsBefore") == 0)
        // Nothing before the segment with the position is downloaded.
        #expect(try told.number("first") == told.number("wanted"))
    }

    @Test("Server error (5xx)")
    func serverError() async throws {
        let told = try await PlaybackPage.told("serverError")
        #expect(try told.text("message") == "Server Error - Unable to stream")
        #expect(try told.number("retryIn") > 0)
        #expect(try told.number("position") == 100)
        #expect(try told.number("after") >= 4.9)
        // The first attempt and three retries.
        #expect(try told.number("tries") == 4)
        #expect(try told.number("isGivenUp") == 1)
    }

    @Test("Not found error (404)")
    func notFound() async throws {
        let told = try await PlaybackPage.told("notFound")
        #expect(try told.text("message").hasPrefix("Track Not Available"))
        #expect(try told.number("tries") == 1)
        #expect(try told.number("retryIn") == -1)
    }

    @Test("Tracks that cannot be played are skipped, but not a whole queue of them")
    func unplayable() async throws {
        let told = try await PlaybackPage.told("unplayable")
        #expect(try told.number("first") == 1)
        #expect(try told.list("skipped") == [1, 1])
        #expect(try told.number("isPausedNever") == 1)
        // Five are skipped; the sixth is shown as failed.
        #expect(try told.number("index") == 5)
        #expect(try told.number("tries") == 6)
    }

    @Test("A worker that cannot be loaded, as after an update of the host, is reported with advice")
    func missingWorker() async throws {
        let told = try await PlaybackPage.told("missingWorker")
        #expect(try told.text("message").hasSuffix("Reload the page."))
    }

    @Test("A tag edit that moves the audio in the file does not disturb its playback")
    func retagged() async throws {
        let told = try await PlaybackPage.told("retaggedDuringPlayback")
        #expect(try told.number("shift") > 5000)
        #expect(try told.number("indexes") == 1)
        #expect(try told.number("isSame") == 1)
        #expect(try told.number("errors") == 0)
    }

    @Test("Timeout during streaming")
    func timeout() async throws {
        let told = try await PlaybackPage.told("timeoutDuringStreaming")
        #expect(try told.number("seconds") == 30)
        #expect(try told.text("message") == "Connection timed out - Retrying…")
        #expect(try told.number("after") >= 0.9)
        #expect(try told.number("position") >= 100)
    }

    @Test("Automatic retry on transient errors")
    func retry() async throws {
        let told = try await PlaybackPage.told("automaticRetry")
        #expect(try told.number("first") >= 1.9)
        #expect(try told.number("second") >= 4.9)
        #expect(try told.text("delays") == "2 5 10 -1")
        #expect(try told.number("position") >= 100)
    }

    @Test("Plays are reported, also after a network failure, and the player is listed as a client")
    func reporting() async throws {
        let told = try await PlaybackPage.told("reporting")
        #expect(try told.number("plays") == 1)
        #expect(try told.text("clients").contains("\"test\""))
    }
}
