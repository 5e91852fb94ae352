import Foundation
import TestSupport
import Testing

/// Placeholders that the page shows while it waits for the host's answers.
@Suite("Loading views", .onlyInChromium, .timeLimit(.minutes(30)))
struct LoadingTests {
    private static let files = Task { try await aside { try makeFiles() } }

    private static func makeFiles() throws -> [(name: String, bytes: [UInt8])] {
        try (0..<17).map { number in
            let isOther = number >= 10
            // Nothing sounds like silence.
            let isSilent = number == 16
            let tags = [
                "--tt", "Song \(number)", "--ta", isSilent ? "Cy" : isOther ? "Bo" : "Ada", "--tl",
                isOther ? "Album \(number)" : "Long", "--tn", "\(number + 1)", "--ty",
                "\(1990 + number)", "--tg", "Folk",
            ]
            let sound =
                isSilent
                ? PCM(sampleRate: 44_100, channelCount: 2, samples: [Int16](repeating: 0, count: 16 * 44_100))
                : PCM.music(frameCount: 8 * 44_100, seed: UInt64(40 + number))
            return ("\(number).mp3", try Encoders.lame(sound, ["-b", "64"] + tags))
        }
    }

    /// Views, and an element that each of them shows at last.
    private static let views = [
        ("/", ".shelf[aria-label=\"Most played\"] .card"), ("/albums", ".cards.virtual-list .card"),
        ("/albums/1", ".hero h1"), ("/artists", ".card.is-round"),
        ("/artists/1", ".shelf[aria-label=\"Similar artists\"] .card"),
        ("/artists/2", ".track-row"), ("/songs", ".track-row"),
        ("/genres", ".tile-title"), ("/decades", ".tile-title"), ("/favourites", ".shelf .card"),
        ("/playlists", ".tile-title"), ("/playlists/1", ".hero h1"), ("/similar/1", ".track-row"),
        ("/radio", ".station-list .empty"), ("/manage/status", ".manage-facts dd"),
    ]

    @Test(
        "Placeholders have the place of what is loaded: nothing moves when it arrives",
        arguments: [(1280, 800), (390, 844)])
    func shifts(width: Int, height: Int) async throws {
        let checks = try PageChecks("loading-checks.js")
        try await PlayedLibrary.with(try await Self.files.value) { played in
            // Nothing is known about the sound of silence; scripts shown as pages have no icon.
            let errors = WebBrowser.ExpectedErrors.containing(["/similar?", "favicon"])
            try await WebBrowser.with(open: "\(played.base)/", errors: errors) { browser in
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500])
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": try Self.script("held-answers.js")])
                _ = try await checks.run("begin", in: browser, key: played.key)
                for isFirst in [true, false] {
                    for (step, (path, selector)) in Self.views.enumerated() {
                        let visit = "\(path), \(isFirst ? "first" : "later") visit"
                        try await browser.open("\(played.base)/player/scripts/main.js")
                        _ = try await checks.run(
                            "prepare", in: browser, key: played.key, [isFirst ? "first" : ""])
                        try await browser.open("\(played.base)/?\(isFirst)\(step)#\(path)")
                        let told = try await loaded(path, selector, checks, in: browser, key: played.key)
                        let shift = try #require(told["shift"] as? Double)
                        #expect(shift <= 0.02, "\(visit): \(told["sources"] ?? "")")
                        guard isFirst else { continue }
                        #expect(told["isBusy"] as? Bool == true, "\(visit)")
                        #expect(told["isHidden"] as? Bool == true, "\(visit)")
                        #expect(told["early"] as? [Double] == [0, 1], "\(visit)")
                    }
                }
            }
        }
    }

    @Test("A list that the host does not answer with is not waited for")
    func lostList() async throws {
        let checks = try PageChecks("loading-checks.js")
        try await PlayedLibrary.with(try await Self.files.value) { played in
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                _ = try await checks.run("begin", in: browser, key: played.key)
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": try Self.script("lost-playlists.js")])
                // The view asks before the page is connected, and leaves the request to the session.
                try await browser.open("\(played.base)/?lost#/playlists")
                let shown = try await checks.run("lost", in: browser, key: played.key)
                #expect(shown["title"] as? String == "Could not load the playlists")
            }
        }
    }

    @Test("Albums and artists are shown and played before the list of all songs has arrived")
    func albumsFirst() async throws {
        let checks = try PageChecks("loading-checks.js")
        try await PlayedLibrary.with(try await Self.files.value) { played in
            // Scripts shown as pages have no icon.
            try await WebBrowser.with(open: "\(played.base)/", errors: .containing(["favicon"])) { browser in
                _ = try await checks.run("begin", in: browser, key: played.key)
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument", ["source": try Self.script("held-tracks.js")])
                try await browser.open("\(played.base)/player/scripts/main.js")
                _ = try await checks.run("prepare", in: browser, key: played.key, ["first"])
                try await browser.open("\(played.base)/?early#/albums")
                let shown = try await checks.run("early", in: browser, key: played.key)
                #expect(shown["albums"] as? String == "8 albums")
                #expect(shown["playing"] as? String == "Song 0")
                #expect(shown["artists"] as? String == "3 artists")
                #expect(shown["rows"] as? Int == 10)
                #expect(shown["isWaiting"] as? Bool == true)
                #expect(shown["songs"] as? String == "17 songs")
            }
        }
    }

    /// Runs the check of a view. On busy machines, Chromium aborts some requests of scripts that pass through a service worker: the page
    /// then loads itself again, which ends the check.
    private func loaded(
        _ path: String, _ selector: String, _ checks: PageChecks, in browser: WebBrowser, key: String
    ) async throws -> [String: Any] {
        do {
            return try await checks.run("load", in: browser, key: key, [path, selector])
        } catch let failure as WebBrowser.Failure where failure.description.contains("unload") {
            return try await checks.run("load", in: browser, key: key, [path, selector])
        }
    }

    private static func script(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
