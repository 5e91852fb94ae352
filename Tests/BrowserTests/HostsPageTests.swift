import Foundation
import HTTPServer
import StreamHost
import TestSupport
import Testing

/// Several hosts in one page, on real origins of their own.
@Suite("Several hosts in the page", .serialized, .timeLimit(.minutes(30)))
struct HostsPageTests {
    static func files(_ name: String, seed: UInt64) throws -> [(name: String, bytes: [UInt8])] {
        try (1...3).map { number in
            // The second song is played until the page is loaded again, however slow the machine.
            let pcm = PCM.music(frameCount: (number == 2 ? 300 : 30) * 44_100, seed: seed + UInt64(number))
            let tags = ["--tt", "\(name) \(number)", "--ta", name, "--tl", name, "--tn", "\(number)"]
            return ("\(number).mp3", try Encoders.lame(pcm, ["-b", "96"] + tags))
        }
    }

    /// Waits until the page has been loaded again.
    static func reloaded(_ browser: WebBrowser) async throws {
        let mark = "return {isNew: !window.isOld && document.querySelector('.shell, .connect') !== null};"
        try await until { (try? await browser.run(mark))?["isNew"] as? Bool == true }
    }

    /// Opens the page of the first of two hosts while `body` runs.
    private static func run(
        _ body: (_ browser: WebBrowser, _ checks: PageChecks, _ own: PlayedLibrary, _ other: PlayedLibrary)
            async throws -> Void
    ) async throws {
        let checks = try PageChecks("hosts-checks.js")
        try await PlayedLibrary.with(
            try await aside { try files("Own", seed: 60) }, settings: { $0.name = "own host" }
        ) { own in
            try await PlayedLibrary.with(
                try await aside { try files("Other", seed: 80) }, settings: { $0.name = "other host" }
            ) { other in
                try await WebBrowser.with(open: "\(own.base)/", errors: .any) { browser in
                    try await body(browser, checks, own, other)
                }
            }
        }
    }

    @Test("Hosts are added, switched, renamed and removed, and each keeps its own data")
    func severalHosts() async throws {
        try await Self.run { browser, checks, own, other in
            let first = try await checks.run("connect", in: browser, key: own.key)
            #expect(first["songs"] as? [String] == ["Own 1", "Own 2", "Own 3"])
            let playing = try await checks.run("play", in: browser, key: own.key)
            #expect(playing["title"] as? String == "Own 2")

            _ = try await checks.run("add", in: browser, key: own.key, [other.base, other.key])
            try await Self.reloaded(browser)
            let second = try await checks.run("songs", in: browser, key: other.key)
            #expect(second["songs"] as? [String] == ["Other 1", "Other 2", "Other 3"])
            #expect(second["name"] as? String == "other host")
            // Audio, covers and downloads cross the origins.
            let elsewhere = try await checks.run("play", in: browser, key: other.key)
            #expect(elsewhere["title"] as? String == "Other 2")
            _ = try await checks.run("download", in: browser, key: other.key)
            let secrets = try await checks.run("keys", in: browser, key: other.key)
            #expect((secrets["keys"] as? [String]).map(Set.init) == [own.key, other.key])
            #expect(secrets["leaked"] as? [String] == [])

            let library = other.base.dropFirst("http://".count)
            let renamed = try await checks.run("rename", in: browser, key: other.key, ["Attic"])
            #expect(renamed["names"] as? [String] == ["own host", "Attic"], "\(library)")
            // An address of another library is not added to a host.
            let mixed = try await checks.run(
                "rename", in: browser, key: other.key, ["Attic", "\(other.base)\n\(own.base)"])
            #expect((mixed["error"] as? String ?? "").contains(own.base))

            _ = try await checks.run("choose", in: browser, key: own.key, ["own host"])
            try await Self.reloaded(browser)
            let back = try await checks.run("restored", in: browser, key: own.key)
            #expect(back["title"] as? String == "Own 2")
            #expect(back["isPlaying"] as? Bool == false)
            #expect(back["favourites"] as? [String] == ["Own 2"])

            // The other library is shown and played while its host is away.
            await other.server.shutdown(withinSeconds: 2)
            _ = try await checks.run("choose", in: browser, key: own.key, ["Attic"])
            try await Self.reloaded(browser)
            let away = try await checks.run("offline", in: browser, key: other.key)
            #expect(away["songs"] as? [String] == ["Other 1", "Other 2", "Other 3"])
            #expect(away["name"] as? String == "Attic")

            _ = try await checks.run("choose", in: browser, key: own.key, ["own host"])
            try await Self.reloaded(browser)
            _ = try await checks.run("songs", in: browser, key: own.key)
            let removed = try await checks.run("remove", in: browser, key: own.key)
            #expect(removed["keys"] as? [String] == [])
            if browser.engine == .chromium { #expect(removed["databases"] as? [String] == ["library"]) }
            let rest = try await checks.run("songs", in: browser, key: own.key)
            #expect(rest["songs"] as? [String] == ["Own 1", "Own 2", "Own 3"])
        }
    }

    @Test("Addresses are read as in the terminal player, and those that the browser would block are named")
    func addresses() async throws {
        try await PlayedLibrary.with([]) { played in
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                let told = try await PageChecks("hosts-checks.js").run(
                    "addresses", in: browser, key: played.key)
                #expect(
                    told["parsed"] as? [String] == [
                        "http://attic.local:8420", "http://192.168.1.2:9000", "http://[::1]",
                        "http://attic:8420", "https://music.example.org", "https://a.b",
                    ])
                #expect(told["wrong"] as? [String] == ["", "", "", "", "", ""])
                #expect(told["blocked"] as? [Bool] == [true, false, false])
            }
        }
    }

    @Test("An address that cannot be added gets an error with what to do")
    func refusals() async throws {
        try await PlayedLibrary.with([], settings: { $0.requiresNoKey = true }) { locked in
            try await Self.run { browser, checks, own, other in
                _ = try await checks.run("connect", in: browser, key: own.key)
                await other.server.shutdown(withinSeconds: 2)
                let told = try await checks.run(
                    "refusals", in: browser, key: own.key, [other.base, locked.base])
                #expect((told["wrong"] as? String ?? "").contains("is not an address"))
                #expect((told["closed"] as? String ?? "").contains("Cannot reach \(other.base)"))
                #expect((told["locked"] as? String ?? "").contains("--trust-lan"))
                #expect((told["key"] as? String ?? "").contains("Invalid API key"))
            }
        }
    }
}
