import Foundation
import HTTPClient
import RadioRelay
import StreamHost
import TestSupport
import Testing

/// Radio stations in the real page, from a real station on the loopback interface.
@Suite("Radio in the page", .onlyInChromium, .timeLimit(.minutes(30)))
struct RadioPageTests {
    @Test("A station is added, played, rewound, recorded and stopped; its recording plays")
    func radio() async throws {
        let sound = try await aside {
            try Encoders.lame(PCM.music(frameCount: 30 * 44_100, seed: 31), ["-b", "64", "-t"])
        }
        let track = try await aside {
            try Encoders.lame(PCM.music(frameCount: 44_100, seed: 32), ["-b", "64"])
        }
        // As fast as it is played, after a first burst of 20 seconds.
        let titles = [(0, "Low - Was"), (120_000, "Äther - Zwei")]
        let server = try RadioServer(
            sound, bytesPerSecond: 8_000, burst: 160_000,
            titles: titles.map { RadioServer.Title(at: $0.0, $0.1) })
        let settings: @Sendable (inout StreamHost.Host.Settings) -> Void = {
            $0.radio.allowedNetworks = [NetworkRange("127.0.0.1")].compactMap { $0 }
            $0.radio.segmentSeconds = 2
        }
        try await PlayedLibrary.with([("1.mp3", track)], settings: settings) { played in
            let checks = try PageChecks("radio-checks.js")
            // Until a new recording is analysed, the host answers 409, and the page asks again.
            let errors = WebBrowser.ExpectedErrors.containing(["segments.json"])
            try await WebBrowser.with(open: "\(played.base)/", errors: errors) { browser in
                try await browser.resize(width: 1280, height: 800)
                func check(_ name: String, _ more: [String] = []) async throws -> [String: Any] {
                    try await checks.run(name, in: browser, key: played.key, more)
                }
                let added = try await check("add", [server.address()])
                #expect((added["note"] as? String)?.contains("MP3") == true)
                #expect(added["name"] as? String == "Test Radio")
                #expect(added["stations"] as? [String] == ["Second", "Test Radio"])
                #expect(added["found"] as? [String] == ["Test Radio"])
                let heard = try await check("play")
                #expect(heard["title"] as? String == "Äther - Zwei" && heard["isLive"] as? Bool == true)
                #expect(heard["peak"] as? Double ?? 0 > 0.01)
                #expect(server.openCount == 1)
                let back = try await check("back")
                // Seconds that the position moved.
                #expect(abs((back["step"] as? Double ?? 0) + 5) < 1, "\(back)")
                #expect(back["earlier"] as? String == "Low - Was" && back["isLive"] as? Bool == false)
                #expect(back["peak"] as? Double ?? 0 > 0.01)
                #expect(back["liveAgain"] as? Bool == true)
                for (width, height) in [(1280, 800), (390, 844), (320, 568)] {
                    _ = try await browser.resize(width: width, height: height)
                    let size = try await check("size")
                    #expect(size["beyond"] as? Double == 0, "\(width) pixels: \(size)")
                    #expect(size["smallest"] as? Double ?? 0 >= 24, "\(width) pixels: \(size)")
                }
                _ = try await browser.resize(width: 1280, height: 800)
                let recorded = try await check("record")
                #expect(recorded["title"] as? String == "Äther - Zwei", "\(recorded)")
                let again = try await check("playRecording")
                #expect(again["isRadioGone"] as? Bool == true && again["peak"] as? Double ?? 0 > 0.01)
                #expect(abs((again["step"] as? Double ?? 0) - 5) < 1, "\(again)")
                let edited = try await check("edit")
                #expect(edited["stations"] as? [String] == ["Renamed"])
            }
        }
        server.end()
    }
}
