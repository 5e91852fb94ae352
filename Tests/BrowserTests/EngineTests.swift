import Foundation
import HTTPServer
import StreamHost
import TestSupport
import Testing

/// The page in Firefox and in WebKit, Safari's engine.
@Suite("The player's page in other browsers", .serialized, .timeLimit(.minutes(30)))
struct EngineTests {
    static let engines: [WebBrowser.Engine] = [.firefox, .webkit]
    /// Engines with real audio output by default. Firefox's PulseAudio threads occasionally deadlock, together with the page, so
    /// it is only used on request: `BROWSER_ENGINE=firefox`.
    static let playing: [WebBrowser.Engine] = WebBrowser.Engine.usual == .firefox ? engines : [.webkit]

    private static func tracks() throws -> [(name: String, bytes: [UInt8])] {
        let pcm = PCM.music(frameCount: 40 * 44_100, seed: 3)
        return try (1...3).map { number in
            let tags = [
                "--tt", "Track \(number)", "--ta", "Band", "--tl", "Record", "--tg", "Folk", "--tn",
                "\(number)",
            ]
            return ("\(number).mp3", try Encoders.lame(pcm, ["-b", "128"] + tags))
        }
    }

    /// Opens the page in an engine while `body` runs.
    ///
    /// On a busy machine WebKitGTK's own process for the page crashes now and then, so it gets a second chance.
    private func opened(
        in engine: WebBrowser.Engine, arguments: [String] = [],
        _ body: (WebBrowser, PlayedLibrary, PageChecks) async throws -> Void
    ) async throws {
        do {
            try await openedOnce(in: engine, arguments: arguments, body)
        } catch  where engine == .webkit && "\(error)".contains("page crash or hang") {
            try await openedOnce(in: engine, arguments: arguments, body)
        }
    }

    private func openedOnce(
        in engine: WebBrowser.Engine, arguments: [String],
        _ body: (WebBrowser, PlayedLibrary, PageChecks) async throws -> Void
    ) async throws {
        let checks = try PageChecks("engine-checks.js")
        try await PlayedLibrary.with(try await aside { try Self.tracks() }, for: engine) { played in
            // If storage is blocked, Firefox itself logs errors about the service worker.
            try await WebBrowser.with(
                engine, open: "\(played.base)/", arguments: arguments, errors: .containing(["ServiceWorker"])
            ) { browser in
                try await body(browser, played, checks)
            }
        }
    }

    @Test(
        "The page connects, plays in sync with the audio clock, seeks and draws the visualizer",
        arguments: playing)
    func page(engine: WebBrowser.Engine) async throws {
        try await opened(in: engine) { browser, played, checks in
            let entered = try await checks.run("enter", in: browser, key: played.key)
            #expect(entered["songs"] as? [String] == ["Track 1", "Track 2", "Track 3"])
            let heard = try await checks.run("play", in: browser, key: played.key)
            #expect((heard["peak"] as? Double ?? 0) > 0.01)
            // Track seconds per second of the audio clock.
            #expect((heard["rate"] as? Double).map { abs($0 - 1) < 0.1 } == true, "\(heard)")
            #expect((heard["late"] as? Double).map { abs($0) < 0.6 } == true, "\(heard)")
            let sought = try await checks.run("seek", in: browser, key: played.key)
            #expect((sought["from"] as? Double).map { $0 < 20 } == true, "\(sought)")
            #expect((sought["to"] as? Double).map { $0 >= 30 && $0 < 36 } == true, "\(sought)")
            let drawn = try await checks.run("visualizers", in: browser, key: played.key)
            for style in ["wave", "siri", "bar", "line"] {
                let numbers = try #require(drawn[style] as? [String: Double], "\(style): \(drawn)")
                #expect((numbers["opaque"] ?? 0) > 200, "\(style)")
                #expect((numbers["changed"] ?? 0) > 100, "\(style)")
            }
            try await lookAt(browser, width: 1280, height: 800)
            try await lookAt(browser, width: 390, height: 844)
            let kept = try await checks.run("download", in: browser, key: played.key)
            #expect(kept["asked"] as? Int == 0)
            #expect((kept["peak"] as? Double ?? 0) > 0.01)
        }
    }

    /// Checks that a screenshot has the window's size and many colours: the cover, its blurred backdrop, the visualizer.
    private func lookAt(_ browser: WebBrowser, width: Int, height: Int) async throws {
        // WebKit's minimum window width is larger than a phone's.
        let (width, height) = try await browser.resize(width: width, height: height)
        let directory = try TemporaryDirectory()
        let file = try directory.write(try await browser.screenshot(), as: "picture.png")
        let raw = try await ProcessRun.aside(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        #expect(raw.output.count == 3 * width * height)
        let pixels = [UInt8](raw.output)
        var colours: Set<Int> = []
        for at in stride(from: 0, to: pixels.count - 2, by: 3) {
            let (red, green, blue) = (Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]))
            colours.insert(red << 16 | green << 8 | blue)
        }
        #expect(colours.count > 100)
    }

    @Test("Two halves of a file play without a gap", arguments: engines)
    func gapless(engine: WebBrowser.Engine) async throws {
        let cuts = PlaybackSounds.cuts.filter {
            ["cut44", "cut22", "lossless44", "sheet44", "aac44", "opus48"].contains($0.folder)
        }
        try await PlaybackPage.with({ try cuts.flatMap(PlaybackSounds.parts) }, in: engine) {
            for cut in cuts {
                // The low sample rates of MPEG-2 are not supported by some outputs.
                let rate = max(cut.rate, 44_100)
                let told = try await PlaybackPage.told("gapless", [cut.folder, String(rate)])
                #expect(try told.number("seam") == 0)
                // WebKitGTK decodes what GStreamer's plug-ins do: not always AAC, which then is played as MP3.
                let isOriginal = try told.text("quality") == "original"
                #expect(isOriginal || (engine == .webkit && cut.folder == "aac44"))
                guard isOriginal else { continue }
                #expect(try abs(told.number("phase")) < cut.tolerances.phase)
                #expect(try told.number("rest") < cut.tolerances.rest)
                guard rate == cut.rate else { continue }
                let reference = try await PlaybackSounds.reference(of: cut)
                #expect(try told.number("end") == Double(reference.count))
                // Both round decoded audio to 16 bits, and Firefox scales positive and negative samples differently.
                let error = try told.worstError(to: reference, joint: cut.cutFrame)
                #expect(error < 5e-5, "\(cut.folder)")
            }
        }
    }

    @Test("A mix is that of the host", arguments: engines)
    func mixes(engine: WebBrowser.Engine) async throws {
        try await PlaybackPage.with(MixedSongs.files, in: engine) {
            try await MixPlaybackTests.expectHostsMix(bassTolerance: engine == .firefox ? -35 : -60)
        }
    }

    @Test("Search, queue, settings, stations and a switch of hosts work", arguments: engines)
    func core(engine: WebBrowser.Engine) async throws {
        let files = try await aside { try HostsPageTests.files("Other", seed: 80) }
        try await PlayedLibrary.with(files, for: engine, settings: { $0.name = "other host" }) { other in
            try await opened(in: engine) { browser, played, checks in
                _ = try await checks.run("enter", in: browser, key: played.key)
                let told = try await checks.run("core", in: browser, key: played.key)
                #expect(told["found"] as? [String] == ["Track 2"])
                #expect(told["queue"] as? [String] == ["Track 1", "Track 3"])
                #expect(told["stations"] as? String == "Radio")
                #expect(told["theme"] as? String == "light")
                let hosts = try PageChecks("hosts-checks.js")
                _ = try await hosts.run("add", in: browser, key: played.key, [other.base, other.key])
                try await HostsPageTests.reloaded(browser)
                let shown = try await hosts.run("songs", in: browser, key: other.key)
                #expect(shown["songs"] as? [String] == ["Other 1", "Other 2", "Other 3"])
                _ = try await hosts.run("choose", in: browser, key: played.key, ["test host"])
                try await HostsPageTests.reloaded(browser)
                let back = try await hosts.run("songs", in: browser, key: played.key)
                #expect(back["songs"] as? [String] == ["Track 1", "Track 2", "Track 3"])
                #expect(back["theme"] as? String == "light")
            }
        }
    }

    @Test("If the browser blocks audio until a user gesture, the page says so and plays after a tap")
    func touch() async throws {
        try await opened(in: .webkit, arguments: ["--autoplay-policy=deny"]) { browser, played, checks in
            let held = try await checks.run("held", in: browser, key: played.key)
            #expect((held["said"] as? String ?? "").contains("tap"))
            #expect(held["position"] as? Double == 0)
            try await browser.click(".state-text")
            let heard = try await checks.run("released", in: browser, key: played.key)
            #expect((heard["peak"] as? Double ?? 0) > 0.01)
            #expect(heard["said"] as? String == "")
        }
    }

    @Test("The library is shown even if the browser blocks storage")
    func nothingKept() async throws {
        try await opened(in: .firefox, arguments: ["network.cookie.cookieBehavior=2"]) {
            browser, played, checks in
            let entered = try await checks.run("enter", in: browser, key: played.key)
            #expect(entered["isKept"] as? Bool == false)
            #expect(entered["songs"] as? [String] == ["Track 1", "Track 2", "Track 3"])
        }
    }
}
