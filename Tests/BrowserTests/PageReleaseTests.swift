import Foundation
import HTTPServer
import TestSupport
import Testing

/// The files stored by the service worker, all of the same version.
@Suite("Service worker", .serialized, .onlyInChromium, .timeLimit(.minutes(30)))
struct PageReleaseTests {
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        [
            // A download of WAV is the MP3 file that the host makes of it.
            ("1.wav", try wav(["title=First rate", "artist=Artist", "album=Album", "track=1"])),
            // A download of Opus is the MP4 file that the host makes of it.
            (
                "2.opus",
                try IntegerSound.tones(frameCount: 20 * 48_000, sampleRate: 48_000, seed: 6).opus(
                    ["TITLE=Second rate", "ARTIST=Artist", "ALBUM=Album", "TRACKNUMBER=2"].flatMap {
                        ["--comment", $0]
                    })
            ),
        ]
    }

    private static func wav(_ tags: [String]) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(
            IntegerSound.tones(frameCount: 20 * 44_100, seed: 5).flac(), as: "in.flac")
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-i", input] + tags.flatMap { ["-metadata", $0] } + [directory.file("out.wav")])
        return try directory.read("out.wav")
    }

    @Test(
        "Offline, downloads play at another speed, and at another sample rate than the previous track",
        arguments: [false, true])
    func offline(isBuilt: Bool) async throws {
        let copy = try TemporaryDirectory()
        let built = isBuilt ? try await PlayedLibrary.builtSite(in: copy) : nil
        let played = try await aside { try PlayedLibrary(try Self.files(), site: built) }
        let proxy = try FaultProxy(before: Int(played.server.port))
        defer { proxy.quit() }
        do {
            try await WebBrowser.with(open: "http://127.0.0.1:\(proxy.port)/", errors: .any) { browser in
                let checks = try PageChecks("release-checks.js")
                let stored = try await checks.run("store", in: browser, key: played.key)
                #expect(stored["missing"] as? [String] == [])
                #expect(stored["count"] as? Int == stored["listed"] as? Int)
                #expect((stored["listed"] as? Int ?? 0 > 100) != isBuilt)
                // The host is now offline.
                await played.server.shutdown(withinSeconds: 2)
                try await browser.reload()
                let told = try await checks.run("playOffline", in: browser, key: played.key)
                #expect(told["faster"] as? Double ?? 0 > 0.01)
                #expect(told["otherRate"] as? Double ?? 0 > 0.01)
                #expect(told["title"] as? String == "Second rate")
            }
        } catch {
            await played.server.shutdown(withinSeconds: 2)
            throw error
        }
    }

    @Test("A new version is used as a whole, after a reload")
    func update() async throws {
        let copy = try TemporaryDirectory()
        let site = copy.file("site")
        try PlayedLibrary.copy(PlayedLibrary.site, to: site)
        func mark(_ version: String) throws {
            for (path, text) in [
                ("style/tokens.css", "\n:root { --made-by: \(version); }\n"),
                ("scripts/playback/output/sound-worker.js", "\n// made by \(version)\n"),
            ] {
                let original = try String(contentsOfFile: "\(PlayedLibrary.site)/\(path)", encoding: .utf8)
                try (original + text).write(toFile: "\(site)/\(path)", atomically: true, encoding: .utf8)
            }
        }
        try mark("one")
        let played = try await aside { try PlayedLibrary(try Self.files(), site: site) }
        do {
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                let checks = try PageChecks("release-checks.js")
                _ = try await checks.run("store", in: browser, key: played.key)
                try await browser.reload()
                #expect(
                    try await checks.run("version", in: browser, key: played.key)["all"] as? [String] == [
                        "one", "one",
                    ])
                try mark("two")
                let updated = try await checks.run("update", in: browser, key: played.key)
                #expect(updated["all"] as? [String] == ["one", "one"])
                #expect((updated["said"] as? String ?? "").contains("new version"))
                try await browser.reload()
                let after = try await reloaded(checks, in: browser, key: played.key)
                #expect(after["all"] as? [String] == ["two", "two"])
                #expect(after["caches"] as? Int == 1)
            }
        } catch {
            await played.server.shutdown(withinSeconds: 2)
            throw error
        }
        await played.server.shutdown(withinSeconds: 2)
    }

    /// Runs the check of the new version. The page reloads itself once the new worker is in charge, which ends a running script.
    private func reloaded(
        _ checks: PageChecks, in browser: WebBrowser, key: String
    ) async throws -> [String: Any] {
        for _ in 0..<5 {
            if let told = try? await checks.run("reloaded", in: browser, key: key) { return told }
        }
        return try await checks.run("reloaded", in: browser, key: key)
    }
}
