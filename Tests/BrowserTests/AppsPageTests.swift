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
            try await WebBrowser.with(open: "\(played.base)/", errors: .containing(["422", "favicon"])) {
                browser in
                try await body(
                    { try await checks.run($0, in: browser, key: played.key, $1) }, browser, played)
            }
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
}
