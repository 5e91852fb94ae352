import Foundation
import Jukebox
import StreamHost
import TestSupport
import Testing

/// The jukebox in the real page.
@Suite("Jukebox in the page", .onlyInChromium, .timeLimit(.minutes(30)))
struct JukeboxPageTests {
    @Test("The page plays, pauses, skips and edits the jukebox, and sees what other clients do")
    func jukebox() async throws {
        let tracks = try await aside {
            try (1...3).map { number in
                (
                    name: "\(number).mp3",
                    bytes: try Encoders.lame(
                        PCM.music(frameCount: 120 * 44_100, seed: UInt64(number)),
                        ["-b", "64", "--tt", "Song \(number)"])
                )
            }
        }
        let settings: @Sendable (inout StreamHost.Host.Settings) -> Void = {
            $0.jukebox = JukeboxSettings(output: .null)
        }
        try await PlayedLibrary.with(tracks, settings: settings) { played in
            let checks = try PageChecks("jukebox-checks.js")
            try await WebBrowser.with(open: "\(played.base)/") { browser in
                try await browser.resize(width: 1280, height: 800)
                let started = try await checks.run("play", in: browser, key: played.key)
                #expect(started["title"] as? String == "Song 1" && started["isPlaying"] as? Bool == true)
                #expect(started["songs"] as? [String] == ["Song 1", "Song 2", "Song 3"])
                for (width, height) in [(1280, 800), (390, 844)] {
                    _ = try await browser.resize(width: width, height: height)
                    let size = try await checks.run("size", in: browser, key: played.key)
                    #expect(size["beyond"] as? Double == 0, "\(width) pixels: \(size)")
                    #expect(size["line"] as? Double ?? 0 > 100, "\(width) pixels: \(size)")
                }
                let controlled = try await checks.run("control", in: browser, key: played.key)
                #expect(
                    controlled["isPaused"] as? Bool == true && controlled["skipped"] as? String == "Song 2")
                #expect(controlled["songs"] as? [String] == ["Song 2", "Song 3"])
                let followed = try await checks.run("follow", in: browser, key: played.key)
                #expect(followed["title"] as? String == "Song 3")
            }
        }
    }
}
