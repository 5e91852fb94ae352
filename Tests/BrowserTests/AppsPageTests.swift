import Foundation
import TestSupport
import Testing

/// Connecting apps and services in a real browser with a real host.
@Suite("Apps and scrobbling pages", .onlyInChromium, .timeLimit(.minutes(30)))
struct AppsPageTests {
    /// Runs checks on one page after another of a new host.
    private func run(
        _ body: (_ check: (String, [String]) async throws -> [String: Any], WebBrowser, PlayedLibrary)
            async throws
            -> Void
    ) async throws {
        let checks = try PageChecks("apps-checks.js")
        try await PlayedLibrary.with([]) { played in
            let browser = try await WebBrowser(open: "\(played.base)/")
            do {
                try await body(
                    { try await checks.run($0, in: browser, key: played.key, $1) }, browser, played)
                #expect(
                    try await browser.consoleErrors().filter {
                        !$0.contains("422") && !$0.contains("favicon")
                    } == [])
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }
    }

    private func ping(_ played: PlayedLibrary, _ user: String, _ password: String) async throws -> String {
        try await ProcessRun.aside(
            "curl", ["-sS", "\(played.base)/rest/ping?f=json&v=1.16.1&c=t&u=\(user)&p=\(password)"]
        ).text
    }

    @Test(
        "A password created on the page signs an app in until it is revoked, and the QR code holds the address"
    )
    func app() async throws {
        try await run { check, browser, played in
            try await browser.resize(width: 1280, height: 900)
            let made = try await check("created", [])
            let (user, password) = (made["user"] as? String ?? "", made["password"] as? String ?? "")
            #expect(made["address"] as? String == played.base)
            #expect((made["title"] as? String)?.contains("Phone <i>") == true)
            #expect((made["row"] as? String)?.contains("never used") == true)
            #expect(try await ping(played, user, password).contains("\"status\":\"ok\""))
            let picture = try TemporaryDirectory()
            let path = try picture.write(try await browser.screenshot(), as: "page.png")
            let code = try await ProcessRun.aside("zbarimg", ["-q", "--raw", path])
            #expect(code.text.trimmingCharacters(in: .whitespacesAndNewlines) == played.base)
            let forgotten = try await check("forgotten", [password])
            #expect(forgotten["isAbsent"] as? Bool == true)
            let revoked = try await check("revoked", [])
            #expect(revoked["isTextGone"] as? Bool == true)
            #expect(try await ping(played, user, password).contains("\"code\":40"))
        }
    }

    @Test("The address of this page comes first, unless other devices cannot use it")
    func addresses() async throws {
        try await run { check, _, _ in
            let order = try await check("addresses", []).compactMapValues { $0 as? String }
            let (network, tunnel) = ("http://192.168.1.20:8420", "https://a.example.com")
            #expect(order["local"] == "\(network) \(tunnel) http://127.0.0.1:8420")
            #expect(order["name"] == "\(network) \(tunnel) http://localhost:8420")
            #expect(order["network"] == "\(network) \(tunnel)")
            #expect(order["elsewhere"] == "https://music.example.org \(network) \(tunnel)")
            #expect(order["alone"] == "http://127.0.0.1:8420")
        }
    }

    @Test("ListenBrainz and Last.fm are connected and disconnected on the page")
    func services() async throws {
        let server = try FakeScrobbleServer()
        try await run { check, _, _ in
            _ = try await check("created", [])
            let brainz = try await check("listenbrainz", [server.listenBrainz, FakeScrobbleServer.token])
            #expect((brainz["refusal"] as? String)?.contains("token") == true)
            #expect((brainz["state"] as? String)?.contains("Connected as listener") == true)
            #expect(brainz["isSecret"] as? Bool == true)
            let fm = try await check(
                "lastfm", [server.lastFM, FakeScrobbleServer.apiKey, FakeScrobbleServer.secret])
            #expect((fm["href"] as? String)?.contains("token=request-token") == true)
            #expect((fm["state"] as? String)?.contains("Connected as listener") == true)
            _ = try await check("disconnected", [])
        }
    }

    @Test("The page of a share plays its songs, and says when the share is gone")
    func share() async throws {
        let tags = ["-b", "64", "--ta", "Artist", "--tl", "Album"]
        let files = try (1...2).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 2 * 44_100, seed: UInt64(number)),
                    tags + ["--tt", "Song \(number) <b>", "--tn", "\(number)"])
            )
        }
        try await PlayedLibrary.with(files) { played in
            func send(_ method: String, _ path: String, _ body: String) async throws -> [String: Any] {
                let run = try await ProcessRun.aside(
                    "curl",
                    [
                        "-sS", "-X", method, "-H", "Authorization: Bearer \(played.key)", "-H",
                        "Content-Type: application/json", "-d", body, "\(played.base)\(path)",
                    ])
                return (try? JSONSerialization.jsonObject(with: run.output)) as? [String: Any] ?? [:]
            }
            let made = try await send(
                "POST", "/shares", #"{"track_ids": [1, 2], "description": "For <you>"}"#)
            let path = try #require(made["path"] as? String)
            let browser = try await WebBrowser(open: "\(played.base)\(path)")
            do {
                let checks = try PageChecks("apps-checks.js")
                let shown = try await checks.run("shared", in: browser, key: "")
                #expect(shown["title"] as? String == "For <you>" && shown["count"] as? Int == 2)
                // The tracks' ids are in the order of their analysis.
                #expect((shown["first"] as? String)?.contains(/Song [12] <b>/) == true)
                try await browser.click("li:first-child button")
                let ended = try await checks.run("playedOn", in: browser, key: "")
                #expect(ended["reached"] as? Int == 1)
                #expect(try await browser.consoleErrors().filter { !$0.contains("cover") } == [])
                _ = try await send("DELETE", "/shares/\(made["id"] as? Int ?? 0)", "")
                try await browser.reload()
                let gone = try await checks.run("gone", in: browser, key: "")
                #expect((gone["message"] as? String)?.contains("revoked") == true)
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }
    }
}
