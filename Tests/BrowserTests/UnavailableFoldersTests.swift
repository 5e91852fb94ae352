import Companion
import Foundation
import StreamHost
import TestSupport
import Testing

/// The notice on folders that are missing, in the real page.
@Suite("Notice on unavailable folders", .onlyInChromium, .timeLimit(.minutes(30)))
struct UnavailableFoldersTests {
    @Test("The notice names the folder, and its tracks are removed only after a confirmation")
    func confirmRemoval() async throws {
        let pieces = try await aside {
            try (1...3).map {
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: UInt64($0)), ["-b", "64"])
            }
        }
        try await PlayedLibrary.with([("1.mp3", pieces[0])], settings: { $0.watch.isOn = true }) { played in
            let directory = played.directory
            _ = try directory.makeFolder("disk", of: [("2.mp3", pieces[1]), ("3.mp3", pieces[2])])
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("music/linked"), withDestinationPath: "../disk")
            let checks = try PageChecks("unavailable-checks.js")
            try await WebBrowser.with(open: "\(played.base)/") { browser in
                let before = try await checks.run("begin", in: browser, key: played.key)
                #expect(before["isHidden"] as? Bool == true)
                #expect(rename(directory.file("disk"), directory.file("away")) == 0)
                for (width, height) in [(1280, 800), (390, 844), (320, 568)] {
                    _ = try await browser.resize(width: width, height: height)
                    let shown = try await checks.run("shown", in: browser, key: played.key)
                    let text = try #require(shown["text"] as? String)
                    #expect(text.contains("linked") && text.contains("2 tracks"), "\(text)")
                    #expect(shown["beyond"] as? Double == 0, "\(width) pixels")
                    #expect((shown["height"] as? Double ?? 0) >= 24, "\(width) pixels")
                }
                let asked = try await checks.run("ask", in: browser, key: played.key)
                #expect(asked["question"] as? String == "Remove 2 tracks?")
                #expect(asked["tracks"] as? Int == 3)
                let removed = try await checks.run("confirm", in: browser, key: played.key)
                #expect(removed["note"] as? String == "2 tracks removed from the library.")
                #expect(removed["isHidden"] as? Bool == true)
                #expect(removed["tracks"] as? Int == 1)
            }
        }
    }
}
