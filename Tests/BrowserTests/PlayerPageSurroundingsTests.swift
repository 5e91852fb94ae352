import Foundation
import HTTPServer
import TestSupport
import Testing

/// The page where things are not as on a desktop at home: on a phone, under a name without HTTPS, without its host, by keys alone,
/// and for who wants nothing to move.
@Suite("The player's page elsewhere", .serialized, .timeLimit(.minutes(30)))
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

    /// Runs a check of `surroundings-checks.js` in a browser of its own; the console must stay clean of errors.
    private func checked(
        _ name: String, at page: (PlayedLibrary) -> String, arguments: [String] = [], isClean: Bool = true,
        before: (WebBrowser) async throws -> Void = { _ in }
    ) async throws -> [String: Any] {
        let played = try await Self.library.value
        let checks = try PageChecks("surroundings-checks.js")
        let browser = try await WebBrowser(open: "about:blank", arguments: arguments)
        do {
            try await before(browser)
            try await browser.open(page(played))
            let told = try await checks.run(name, in: browser, key: played.key)
            // The browser itself reports each request that fails.
            if isClean { #expect(try await browser.consoleErrors() == []) }
            await browser.quit()
            return told
        } catch {
            await browser.quit()
            throw error
        }
    }

    @Test(
        "On a phone nothing is wider than the screen, and what is to be touched is large enough",
        .onlyInChromium)
    func phone() async throws {
        let told = try await checked("phone", at: { "\($0.base)/" }) { browser in
            try await browser.devtools(
                "Emulation.setDeviceMetricsOverride",
                ["width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true])
            try await browser.devtools("Emulation.setTouchEmulationEnabled", ["enabled": true])
        }
        #expect(told["wide"] as? [String] == [])
        #expect(told["small"] as? [String] == [])
        #expect(told["views"] as? Int == 14)
    }

    @Test("Under a name without HTTPS, where browsers hold much back, all is there", .onlyInChromium)
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

    @Test("Every view is reached, used and left by keys alone, and what has the focus is seen")
    func keyboard() async throws {
        let told = try await checked("keyboard", at: { "\($0.base)/" })
        #expect(told["unseen"] as? [String] == [])
        #expect(told["unreached"] as? [String] == [])
        #expect(told["playing"] as? Bool == true)
        #expect(told["menuClosed"] as? Bool == true)
        #expect(told["focusBack"] as? Bool == true)
    }

    @Test("For who wants nothing to move nothing moves by itself", .onlyInChromium)
    func stillness() async throws {
        let told = try await checked("stillness", at: { "\($0.base)/" }) { browser in
            try await browser.devtools(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]])
        }
        #expect(told["animations"] as? [String] == [])
        #expect(told["isStill"] as? Bool == true)
    }

    @Test("A page that is opened without its host says so, and goes on by itself once the host is there")
    func withoutHost() async throws {
        let played = try await Self.library.value
        let proxy = try FaultProxy(before: Int(played.server.port))
        defer { proxy.quit() }
        let base = "http://127.0.0.1:\(proxy.port)"
        let told = try await checked("withoutHost", at: { _ in "\(base)/" }, isClean: false) { browser in
            try await browser.open("\(base)/player/scripts/main.js")
            _ = try await browser.run(
                """
                localStorage.setItem('host.key', args[0]);
                const rules = [{match: '^/(?!__proxy|player|$)', refuse: true}];
                await fetch('/__proxy/faults', {method: 'POST', body: JSON.stringify(rules)});
                return {};
                """, [played.key])
        }
        #expect(told["title"] as? String == "The host is away")
        #expect((told["said"] as? String ?? "").contains("network"))
    }
}
