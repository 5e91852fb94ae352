import Foundation
import TestSupport
import Testing

/// What the visualizer draws, measured on canvases of a real browser with a made clock, from frames of a real host.
@Suite("The visualizer", .timeLimit(.minutes(30)))
struct VisualizerTests {
    private static let page = Task {
        try await CheckedPage.run("visualizer-checks.js", files: try await aside { try sounds() })
    }

    private let page: CheckedPage

    init() async throws { page = try await Self.page.value }

    /// Two tones one after the other, a tone of −6 dBFS, and something like music.
    private static func sounds() throws -> [(name: String, bytes: [UInt8])] {
        func tone(_ hertz: Double, _ seconds: Double, peak: Double) -> [Int16] {
            (0..<Int(seconds * 44_100)).map {
                Int16((sin(2 * .pi * hertz * Double($0) / 44_100) * peak * 32_767).rounded())
            }
        }
        func mp3(_ samples: [Int16]) throws -> [UInt8] {
            try Encoders.lame(PCM(sampleRate: 44_100, channelCount: 1, samples: samples), ["-b", "128"])
        }
        // A short tone at each second but the first.
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

    @Test("Frames are those of the host, in one array, and files that are none are refused")
    func frames() throws {
        let told = try page.of("framesAsTheHostHasThem")
        #expect(told["differing"] == 0)
        #expect(told["refused"] == 4)
        #expect(told["rate"] == 30)
        #expect(told["sharesBuffer"] == 1)
        #expect((told["frames"] ?? 0) > 175)
        // Single precision in 100 frames of 255 levels.
        #expect(try page.of("framesAtATime")["error"].map { $0 < 1e-4 } == true)
    }

    @Test("The picture is that of the position: it changes when the sound does, forwards and back")
    func sync() throws {
        let seen = try page.of("framesInTime")
        // Bands are equal steps of the logarithm between 40 Hz and 16 kHz: 1 kHz lies in band 34, 6 kHz in band 53.
        #expect(abs((seen["low"] ?? 0) - 34) <= 1)
        #expect(abs((seen["high"] ?? 0) - 53) <= 1)
        #expect(seen["back"] == seen["low"])
        // The tones change places at 3 s. A frame looks at 23 ms of sound, frames are 33 ms apart, and levels take a moment.
        #expect(abs((seen["overtakes"] ?? 0) - 3) < 0.07)
        #expect((seen["opaque"] ?? 0) > 1000)
        #expect(seen["left"] == 0)
    }

    @Test("The frames of a place in the track are those of what is heard there")
    func playing() throws {
        let heard = try page.of("playedInTime")
        #expect((heard["count"] ?? 0) >= 4)
        // A frame sees 23 ms around its time, and frames are 33 ms apart.
        #expect((heard["most"] ?? 9) < 0.06)
    }

    @Test("A band lights its own point, whatever number of points there is")
    func points() throws {
        let seen = try page.of("bandsOnPoints")
        #expect(seen["wrong"] == 0)
        #expect((seen["weakest"] ?? 0) > 0.6)
    }

    @Test("Viscosity looks alike at 24 and at 144 frames a second")
    func viscosity() throws {
        #expect(try page.of("viscosityAtFrameRates")["error"].map { $0 < 1e-5 } == true)
    }

    @Test("Soft music stands as high as loud music, silence stays flat, and sensitivity shows more")
    func gain() throws {
        let seen = try page.of("gainFollows")
        #expect((seen["loud"] ?? 0) > 0.95)
        #expect((seen["soft"] ?? 0) > 0.95)
        #expect(seen["silent"] == 0)
        #expect((seen["much"] ?? 0) > (seen["little"] ?? 1) + 0.15)
    }

    @Test("The curve goes through its points")
    func curve() throws { #expect(try page.of("curveThroughPoints")["missed"] == 0) }

    @Test(
        "Bars are as high as their levels, the symmetric wave mirrors itself, the line is thin, the wave has a depth"
    )
    func styles() throws {
        let bars = try page.of("barHeights")
        // 16 levels in steps of 0.05: all steps alike, to a pixel.
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
        // The crest does not move with what is behind it; the depth rises above it.
        #expect(wave["crest"] == wave["crestUnderDepth"])
        #expect((wave["depth"] ?? 300) < (wave["crest"] ?? 0) - 100)
        #expect((wave["before"] ?? 0) > (wave["after"] ?? 300) + 100)
    }

    @Test("After a skip all is flat until the track's frames are there, and while paused")
    func flat() throws {
        let seen = try page.of("flatAfterSkip")
        #expect((seen["before"] ?? 0) > 0.5)
        #expect((seen["waiting"] ?? 1) < 0.01)
        #expect((seen["after"] ?? 0) > 0.3)
        #expect((seen["paused"] ?? 1) < 0.01)
    }

    @Test("Where one track goes over into the next, its frames are there already")
    func prepared() throws {
        let seen = try page.of("nextIsPrepared")
        #expect([seen["isAsked"], seen["isThere"]] == [1, 1])
    }

    @Test("Frames that are made while the track plays are taken as soon as the host tells of them")
    func come() throws {
        let seen = try page.of("framesThatCome")
        #expect([seen["before"], seen["others"], seen["after"]] == [1, 1, 1])
    }

    @Test("Paints are made once, not for each picture", arguments: ["wave", "siri", "bar", "line"])
    func paints(style: String) throws { #expect(try page.of("paintsAreKept")[style] == 0) }

    @Test("A track without frames is drawn from the sound, on the scale of frames")
    func live() throws {
        let seen = try page.of("liveLikeFrames")
        // −6 dBFS on a scale of 90 dB.
        #expect(abs((seen["frames"] ?? 0) - (1 - 6.0 / 90)) < 0.02)
        #expect(abs((seen["live"] ?? 0) - (seen["frames"] ?? 1)) < 0.03)
        #expect(abs((seen["liveBand"] ?? 0) - (seen["framesBand"] ?? 9)) <= 1)
        #expect(try page.of("liveWithoutFrames")["level"].map { $0 > 0.5 } == true)
    }

    @Test("Nothing is drawn unseen, nor in the mini player while the full one is open")
    func rests() throws {
        let frames = try page.of("restsUnseen")
        for name in ["alone", "fullOpen", "miniAgain", "seenAgain"] {
            #expect((frames[name] ?? 0) > 1, "\(name)")
        }
        for name in ["miniBehindFull", "fullClosed", "hidden", "notShown", "off"] {
            #expect(frames[name] == 0, "\(name)")
        }
    }

    @Test("Who wants no motion sees a picture that stays")
    func still() throws {
        let seen = try page.of("stillPicture")
        #expect(seen["changed"] == 0)
        #expect(seen["runs"] == 0)
        #expect((seen["height"] ?? 0) > 0.3)
    }

    @Test(
        "Where pictures come late less is drawn, where they come in time for long more again, and what was too much waits longer"
    )
    func pace() throws {
        let told = try page.of("pace")
        // Half a second of late pictures is a step, or two where they are very late; there is an end to it.
        #expect(told["lateAfter"] == 30)
        #expect(told["least"] == 3)
        #expect(told["twoAtOnce"] == 2)
        #expect(told["firstWait"] == 1800)
        #expect(told["afterWait"] == 2)
        #expect(told["secondWait"] == 3600)
        #expect(told["fewLate"] == 0)
        #expect(told["someLate"] == 1)
        #expect(told["away"] == 0)
        // Where less does not help, there is no reason for it.
        #expect(told["atThirty"] == 0)
        #expect(told["atSixty"] == 0)
        #expect(told["busyAgain"] == 3)
    }

    @Test("Colours are those of the cover, of a cycle, or chosen, and are made once")
    func colours() throws {
        let seen = try page.of("colours")
        #expect((seen["error"] ?? 9) <= 1)
        #expect((seen["main"] ?? 99) < 6)
        #expect((seen["accent"] ?? 99) < 6)
        #expect((seen["grey"] ?? 1) < 0.03)
        let modes = try page.of("colourModes")
        // Half of a cycle, to a step of 1.5°.
        #expect(abs((modes["turned"] ?? 0) - 180) <= 3)
        #expect(modes["fresh"] == 0)
        #expect((modes["custom"] ?? 99) < 1)
    }

    @Test("Light and dark ground are told apart, and a change of the theme is heard of")
    func ground() throws {
        let seen = try page.of("groundOfThemes")
        #expect([seen["isRight"], seen["news"]] == [1, 1])
    }

    @Test("Settings that make no sense are as by default")
    func settings() throws {
        let look = try page.of("badSettings")
        #expect(look["points"] == 64)
        #expect(look["viscosity"] == 0)
        #expect(look["asUsual"] == 1)
    }
}
