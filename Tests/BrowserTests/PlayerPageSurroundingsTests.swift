import Foundation
import HTTPServer
import TestSupport
import Testing

/// The page in unusual environments: on a phone, over plain HTTP, without the host, by keyboard only, with reduced motion.
@Suite("Player page environments", .serialized, .timeLimit(.minutes(30)))
struct PlayerPageSurroundingsTests {
    private static let library = Task { try await aside { try PlayedLibrary(files()) } }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let pcm = PCM.music(frameCount: 20 * 44_100, seed: 9)
        return try (1...14).map { number in
            let tags = [
                "--tt", "Song \(number) with quite a long title that no phone can show whole", "--ta",
                "Artist \(number % 4) and all of the Others", "--tl", "Album \(number % 4)", "--tg",
                "Genre \(number % 2)", "--tn", "\(number)",
            ]
            return ("\(number % 4)/\(number).mp3", try Encoders.lame(pcm, ["-b", "128"] + tags))
        }
    }

    /// Runs a check of `surroundings-checks.js` by name.
    typealias Check = (_ name: String) async throws -> [String: Any]

    /// Runs a check in a new browser, and expects no console errors.
    private func checked(
        _ name: String, at page: (PlayedLibrary) -> String, arguments: [String] = [], isClean: Bool = true,
        before: (WebBrowser) async throws -> Void = { _ in }
    ) async throws -> [String: Any] {
        var told: [String: Any] = [:]
        try await onPage(at: page, arguments: arguments, isClean: isClean, before: before) { _, check in
            told = try await check(name)
        }
        return told
    }

    /// Opens a page in a new browser, and expects no console errors.
    func onPage(
        at page: (PlayedLibrary) -> String = { "\($0.base)/" }, arguments: [String] = [],
        isClean: Bool = true,
        before: (WebBrowser) async throws -> Void = { _ in }, _ body: (WebBrowser, Check) async throws -> Void
    ) async throws {
        let played = try await Self.library.value
        let checks = try PageChecks("surroundings-checks.js")
        // The browser itself logs each failed request.
        try await WebBrowser.with(
            open: "about:blank", arguments: arguments, errors: isClean ? .none : .any
        ) { browser in
            try await before(browser)
            try await browser.open(page(played))
            try await body(browser) { try await checks.run($0, in: browser, key: played.key) }
        }
    }

    /// Emulates a screen, and touch input if it is a phone's.
    func show(_ screen: Screen, in browser: WebBrowser) async throws {
        try await browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": screen.width, "height": screen.height, "deviceScaleFactor": screen.isPhone ? 2 : 1,
                "mobile": screen.isPhone,
            ])
        if screen.isPhone {
            try await browser.devtools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        }
    }

    /// A screen, in CSS pixels.
    struct Screen: Sendable, CustomTestStringConvertible {
        let width: Int
        let height: Int
        let isPhone: Bool

        static let phone = Screen(width: 390, height: 844, isPhone: true)

        var testDescription: String { "\(width) × \(height)" }
    }

    @Test(
        "On a phone, nothing is wider than the screen and all touch targets are large enough",
        .onlyInChromium, arguments: [Screen.phone, Screen(width: 320, height: 568, isPhone: true)])
    func phone(_ screen: Screen) async throws {
        let told = try await checked("phone", at: { "\($0.base)/" }) { try await show(screen, in: $0) }
        #expect(told["wide"] as? [String] == [])
        #expect(told["small"] as? [String] == [])
        #expect(told["views"] as? Int == 24)
    }

    @Test("Without HTTPS, where browsers disable many features, everything works", .onlyInChromium)
    func insecure() async throws {
        let told = try await checked(
            "insecure", at: { "http://music.test:\($0.server.port)/" },
            arguments: ["--host-resolver-rules=MAP music.test 127.0.0.1"])
        #expect(told["isSecure"] as? Bool == false)
        #expect(told["has"] as? [String] == [])
        #expect((told["peak"] as? Double ?? 0) > 0.01)
        #expect(told["downloaded"] as? Bool == true)
        #expect(told["starred"] as? Bool == true)
    }

    @Test("Every view can be used with the keyboard alone, with a visible focus")
    func keyboard() async throws {
        let told = try await checked("keyboard", at: { "\($0.base)/" })
        #expect(told["unseen"] as? [String] == [])
        #expect(told["unreached"] as? [String] == [])
        #expect(told["playing"] as? Bool == true)
        #expect(told["menuClosed"] as? Bool == true)
        #expect(told["focusBack"] as? Bool == true)
    }

    @Test("With reduced motion, nothing is animated", .onlyInChromium)
    func stillness() async throws {
        let told = try await checked("stillness", at: { "\($0.base)/" }) { browser in
            try await browser.devtools(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]])
        }
        #expect(told["animations"] as? [String] == [])
        #expect(told["isStill"] as? Bool == true)
    }

    @Test("A page opened without the host says so, and reconnects automatically")
    func withoutHost() async throws {
        let played = try await Self.library.value
        let proxy = try FaultProxy(before: Int(played.server.port))
        defer { proxy.quit() }
        let base = "http://127.0.0.1:\(proxy.port)"
        let told = try await checked("withoutHost", at: { _ in "\(base)/" }, isClean: false) { browser in
            try await browser.open("\(base)/player/scripts/main.js")
            _ = try await browser.run(
                "localStorage.setItem('host.key', args[0]); return {};", [played.key])
            try await setFaults(#"[{"match": "^/(?!__proxy|player|$)", "refuse": true}]"#, in: browser)
        }
        #expect(told["title"] as? String == "Host offline")
        #expect((told["said"] as? String ?? "").contains("network"))
    }

    /// Replaces the faults of the proxy that the page comes from.
    private func setFaults(_ rules: String, in browser: WebBrowser) async throws {
        _ = try await browser.run(
            "await fetch('/__proxy/faults', {method: 'POST', body: args[0]}); return {};", [rules])
    }

    @Test("If a script does not arrive, the page loads again, and says so if it never does")
    func missingScript() async throws {
        let played = try await Self.library.value
        let proxy = try FaultProxy(before: Int(played.server.port))
        defer { proxy.quit() }
        let base = "http://127.0.0.1:\(proxy.port)"
        try await onPage(
            at: { _ in "\(base)/" }, isClean: false,
            before: { browser in
                try await browser.open("\(base)/player/scripts/main.js")
                try await setFaults(#"[{"match": "/toast.js", "status": 503, "times": 1}]"#, in: browser)
            }
        ) { browser, check in
            let once = try await check("loaded")
            #expect(once["said"] as? String == "")
            // The service worker may request it, too.
            #expect(once["requests"] as? Int ?? 0 >= 2)
            // From here on the service worker would answer; another address has none.
            let other = "http://localhost:\(proxy.port)"
            try await browser.open("\(other)/player/scripts/main.js")
            try await setFaults(#"[{"match": "/toast.js", "status": 503}]"#, in: browser)
            try await browser.open("\(other)/")
            let never = try await check("loaded")
            #expect((never["said"] as? String ?? "").contains("Load again"))
            #expect(never["requests"] as? Int == 4)
            try await setFaults("[]", in: browser)
            try await browser.click("#not-loaded button")
            let later = try await check("loaded")
            #expect(later["said"] as? String == "" && later["requests"] as? Int ?? 0 >= 1)
        }
    }
}
