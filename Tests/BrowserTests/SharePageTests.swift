import Foundation
import TestSupport
import Testing

/// The page that people without an account see when music is shared with them.
@Suite("Page of a share", .onlyInChromium, .timeLimit(.minutes(30)))
struct SharePageTests {
    private static let files = Task { try await aside { try makeFiles() } }

    private static func makeFiles() throws -> [(name: String, bytes: [UInt8])] {
        try (1...2).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 2 * 44_100, seed: UInt64(number)),
                    [
                        "-b", "64", "--ta", "Artist", "--tl", "Album \(number)", "--tt",
                        "Song \(number) <b>", "--tn", "\(number)",
                    ])
            )
        }
    }

    /// Sends a request with the host's key, and returns the answer.
    private static func send(
        _ method: String, _ path: String, _ body: String, to played: PlayedLibrary
    ) async throws -> [String: Any] {
        let run = try await ProcessRun.aside(
            "curl",
            [
                "-sS", "-X", method, "-H", "Authorization: Bearer \(played.key)", "-H",
                "Content-Type: application/json", "-d", body, "\(played.base)\(path)",
            ])
        return (try? JSONSerialization.jsonObject(with: run.output)) as? [String: Any] ?? [:]
    }

    @Test("The page of a share plays its songs, and says when the share is gone")
    func share() async throws {
        try await PlayedLibrary.with(try await Self.files.value) { played in
            let made = try await Self.send(
                "POST", "/shares", #"{"track_ids": [1, 2], "description": "For <you>"}"#, to: played)
            let path = try #require(made["path"] as? String)
            try await WebBrowser.with(open: "\(played.base)\(path)", errors: .containing(["cover", "404"])) {
                browser in
                let checks = try PageChecks("share-checks.js")
                let shown = try await checks.run("shared", in: browser, key: "")
                #expect(shown["title"] as? String == "For <you>" && shown["count"] as? Int == 2)
                // The tracks' ids are in the order of their analysis.
                #expect((shown["first"] as? String)?.contains(/Song [12] <b>/) == true)
                try await browser.click("li:first-child button")
                let ended = try await checks.run("playedOn", in: browser, key: "")
                #expect(ended["reached"] as? Int == 1)
                _ = try await Self.send("DELETE", "/shares/\(made["id"] as? Int ?? 0)", "", to: played)
                try await browser.reload()
                let gone = try await checks.run("revoked", in: browser, key: "")
                #expect((gone["message"] as? String)?.contains("revoked") == true)
            }
        }
    }

    @Test(
        "It is in the language of the visitor's browser, whole, and looks like the player",
        arguments: [
            ("en", "Shared music"), ("de", "Geteilte Musik"), ("fr", "Musique partagée"),
            ("es", "Música compartida"), ("ja", "共有された音楽"),
        ])
    func language(_ language: String, heading: String) async throws {
        try await PlayedLibrary.with(try await Self.files.value) { played in
            let made = try await Self.send(
                "POST", "/shares", #"{"track_ids": [1, 2], "expires_at": 4000000000}"#, to: played)
            let path = try #require(made["path"] as? String)
            let checks = try PageChecks("share-checks.js")
            // The files have no covers, and the share is revoked.
            try await WebBrowser.with(
                open: "\(played.base)\(path)", arguments: ["--accept-lang=\(language)"],
                errors: .containing(["cover", "404"])
            ) { browser in
                try await browser.resize(width: 1280, height: 800)
                func check(_ name: String) async throws {
                    let told = try await checks.run(name, in: browser, key: "-", [language])
                    #expect(told["language"] as? String == language)
                    #expect(told["left"] as? [String] == [], "\(name)")
                    #expect(told["texts"] as? Int ?? 0 >= 1, "\(name)")
                    #expect(told["beyond"] as? Double == 0, "\(name)")
                    if name == "shown" {
                        #expect(told["heading"] as? String == heading)
                        #expect(told["isPlayersGround"] as? Bool == true)
                    }
                }
                try await check("shown")
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true])
                try await check("shown")
                _ = try await Self.send("DELETE", "/shares/\(made["id"] as? Int ?? 0)", "", to: played)
                try await browser.reload()
                try await check("gone")
            }
        }
    }
}
