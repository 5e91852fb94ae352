import Foundation
import TestSupport
import Testing

/// The visualizer's output on canvases of a real browser, with a simulated clock and spectra of a real host.
@Suite("Visualizer", .timeLimit(.minutes(30)))
struct VisualizerTests {
    private static let page = Task {
        try await CheckedPage.run("visualizer-checks.js", files: try await aside { try sounds() })
    }

    private let page: CheckedPage

    init() async throws { page = try await Self.page.value }

    /// Two consecutive tones, a tone of −6 dBFS, clicks, and simulated music.
    private static func sounds() throws -> [(name: String, bytes: [UInt8])] {
        func tone(_ hertz: Double, _ seconds: Double, peak: Double) -> [Int16] {
            (0..<Int(seconds * 44_100)).map {
                Int16((sin(2 * .pi * hertz * Double($0) / 44_100) * peak * 32_767).rounded())
            }
        }
        func mp3(_ samples: [Int16]) throws -> [UInt8] {
            try Encoders.lame(PCM(sampleRate: 44_100, channelCount: 1, samples: samples), ["-b", "128"])
        }
        // A short tone at the start of each second except the first.
        let clicks = (0..<6 * 44_100).map { index -> Int16 in
            let since = Double(index % 44_100) / 44_100
            return index < 44_100 || since > 0.05 ? 0 : Int16(sin(2 * .pi * 2000 * since) * 24_000)
        }
        return [
            ("tones.mp3", try mp3(tone(1000, 3, peak: 0.5) + tone(6000, 3, peak: 0.5))),
            ("tone.mp3", try mp3(tone(1000, 4, peak: 0.501))),
            ("clicks.mp3", try mp3(clicks)),
            ("music.mp3", try Encoders.lame(PCM.music(frameCount: 6 * 44_100))),
        ]
    }

    @Test("Spectra match the host's, share its buffer, and invalid files are rejected")
    func frames() throws {
        let told = try page.of("framesAsTheHostHasThem")
        #expect(told["differing"] == 0)
        #expect(told["refused"] == 4)
        #expect(told["rate"] == 30)
        #expect(told["sharesBuffer"] == 1)
        #expect((told["frames"] ?? 0) > 175)
        // Single precision for 100 rows of 255 levels.
        #expect(try page.of("framesAtATime")["error"].map { $0 < 1e-4 } == true)
    }

    @Test("The picture follows the position, forwards and backwards")
    func sync() throws {
        let seen = try page.of("framesInTime")
        // Bands are equal steps on a logarithmic scale from 40 Hz to 16 kHz: 1 kHz is in band 34, 6 kHz in band 53.
        #expect(abs((seen["low"] ?? 0) - 34) <= 1)
        #expect(abs((seen["high"] ?? 0) - 53) <= 1)
        #expect(seen["back"] == seen["low"])
        // The tones change at 3 s. A spectrum covers 23 ms, spectra are 33 ms apart, and levels have inertia.
        #expect(abs((seen["overtakes"] ?? 0) - 3) < 0.07)
        #expect((seen["opaque"] ?? 0) > 1000)
        #expect(seen["left"] == 0)
    }

    @Test("The spectra at a position match the audio played there")
    func playing() throws {
        let heard = try page.of("playedInTime")
        #expect((heard["count"] ?? 0) >= 4)
        // A spectrum covers 23 ms around its time, and spectra are 33 ms apart.
        #expect((heard["most"] ?? 9) < 0.06)
    }

    @Test("Each band raises its own point, for any number of points")
    func points() throws {
        let seen = try page.of("bandsOnPoints")
        #expect(seen["wrong"] == 0)
        #expect((seen["weakest"] ?? 0) > 0.6)
    }

    @Test("Viscosity is independent of the frame rate, from 24 to 144 per second")
    func viscosity() throws {
        #expect(try page.of("viscosityAtFrameRates")["error"].map { $0 < 1e-5 } == true)
    }

    @Test("Quiet music is as high as loud music, silence is flat, and sensitivity shows more")
    func gain() throws {
        let seen = try page.of("gainFollows")
        #expect((seen["loud"] ?? 0) > 0.95)
        #expect((seen["soft"] ?? 0) > 0.95)
        #expect(seen["silent"] == 0)
        #expect((seen["much"] ?? 0) > (seen["little"] ?? 1) + 0.15)
    }

    @Test("The curve passes through its points")
    func curve() throws { #expect(try page.of("curveThroughPoints")["missed"] == 0) }

    @Test(
        "Bars match their levels, the symmetric wave is symmetric, the line is thin, and the wave has a shadow"
    )
    func styles() throws {
        let bars = try page.of("barHeights")
        // 16 levels in steps of 0.05: all steps have the same height, to a pixel.
        #expect((bars["most"] ?? 9) - (bars["least"] ?? 0) <= 1)
        #expect((bars["least"] ?? 0) > 10)
        #expect(bars["gaps"] == 0)
        let symmetric = try page.of("siriSymmetry")
        #expect((symmetric["covered"] ?? 0) > 10_000)
        #expect((symmetric["mirrored"] ?? 0) / (symmetric["covered"] ?? 1) > 0.99)
        let line = try page.of("lineIsThin")
        #expect((line["thinnest"] ?? 0) >= 1)
        #expect((line["thickest"] ?? 99) <= 8)
        let wave = try page.of("waveDepth")
        // The crest does not move with the shadow; the shadow rises above it.
        #expect(wave["crest"] == wave["crestUnderDepth"])
        #expect((wave["depth"] ?? 300) < (wave["crest"] ?? 0) - 100)
        #expect((wave["before"] ?? 0) > (wave["after"] ?? 300) + 100)
    }

    @Test("The picture is flat after a skip until the track's spectra arrive, and while paused")
    func flat() throws {
        let seen = try page.of("flatAfterSkip")
        #expect((seen["before"] ?? 0) > 0.5)
        #expect((seen["waiting"] ?? 1) < 0.01)
        #expect((seen["after"] ?? 0) > 0.3)
        #expect((seen["paused"] ?? 1) < 0.01)
    }

    @Test("The next track's spectra are loaded before the transition")
    func prepared() throws {
        let seen = try page.of("nextIsPrepared")
        #expect([seen["isAsked"], seen["isThere"]] == [1, 1])
    }

    @Test("Spectra computed during playback are used as soon as the host announces them")
    func come() throws {
        let seen = try page.of("framesThatCome")
        #expect([seen["before"], seen["others"], seen["after"]] == [1, 1, 1])
    }

    @Test("Paints are created once, not for each picture", arguments: ["wave", "siri", "bar", "line"])
    func paints(style: String) throws { #expect(try page.of("paintsAreKept")[style] == 0) }

    @Test("A track without spectra is drawn from the audio output, on the same scale")
    func live() throws {
        let seen = try page.of("liveLikeFrames")
        // −6 dBFS on a scale of 90 dB.
        #expect(abs((seen["frames"] ?? 0) - (1 - 6.0 / 90)) < 0.02)
        #expect(abs((seen["live"] ?? 0) - (seen["frames"] ?? 1)) < 0.03)
        #expect(abs((seen["liveBand"] ?? 0) - (seen["framesBand"] ?? 9)) <= 1)
        #expect(try page.of("liveWithoutFrames")["level"].map { $0 > 0.5 } == true)
    }

    @Test("Nothing is drawn while invisible, nor in the mini player while the full player is open")
    func rests() throws {
        let frames = try page.of("restsUnseen")
        for name in ["alone", "fullOpen", "miniAgain", "seenAgain"] {
            #expect((frames[name] ?? 0) > 1, "\(name)")
        }
        for name in ["miniBehindFull", "fullClosed", "hidden", "notShown", "off"] {
            #expect(frames[name] == 0, "\(name)")
        }
    }

    @Test("With reduced motion, the picture does not move")
    func still() throws {
        let seen = try page.of("stillPicture")
        #expect(seen["changed"] == 0)
        #expect(seen["runs"] == 0)
        #expect((seen["height"] ?? 0) > 0.3)
    }

    @Test(
        "Detail is reduced if pictures are late, restored after a while, and retried later after a failure"
    )
    func pace() throws {
        let told = try page.of("pace")
        // Half a second of late pictures is one step, or two if they are very late, down to the minimum.
        #expect(told["lateAfter"] == 30)
        #expect(told["least"] == 3)
        #expect(told["twoAtOnce"] == 2)
        #expect(told["firstWait"] == 1800)
        #expect(told["afterWait"] == 2)
        #expect(told["secondWait"] == 3600)
        #expect(told["fewLate"] == 0)
        #expect(told["someLate"] == 1)
        #expect(told["away"] == 0)
        // If less detail does not help, full detail is restored.
        #expect(told["atThirty"] == 0)
        #expect(told["atSixty"] == 0)
        #expect(told["busyAgain"] == 3)
    }

    @Test("Colours come from the cover, a hue cycle or the settings, and are created once")
    func colours() throws {
        let seen = try page.of("colours")
        #expect((seen["error"] ?? 9) <= 1)
        #expect((seen["main"] ?? 99) < 6)
        #expect((seen["accent"] ?? 99) < 6)
        #expect((seen["grey"] ?? 1) < 0.03)
        let modes = try page.of("colourModes")
        // Half a cycle, to a step of 1.5°.
        #expect(abs((modes["turned"] ?? 0) - 180) <= 3)
        #expect(modes["fresh"] == 0)
        #expect((modes["custom"] ?? 99) < 1)
    }

    @Test("Light and dark backgrounds are distinguished, and theme changes are noticed")
    func ground() throws {
        let seen = try page.of("groundOfThemes")
        #expect([seen["isRight"], seen["news"]] == [1, 1])
    }

    @Test("Invalid settings are replaced by defaults")
    func settings() throws {
        let look = try page.of("badSettings")
        #expect(look["points"] == 64)
        #expect(look["viscosity"] == 0)
        #expect(look["styles"] == 4)
        #expect(look["asUsual"] == 1)
    }
}
