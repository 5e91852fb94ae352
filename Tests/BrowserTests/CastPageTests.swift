import Foundation
import HTTPServer
import TestSupport
import Testing

/// Playback on another device, with a stand-in for the browser's devices.
@Suite("Casting", .onlyInChromium, .timeLimit(.minutes(30)))
struct CastPageTests {
    @Test("A device plays the queue by addresses with a token for one song, and is controlled by the page")
    func cast() async throws {
        let files = try await aside { try HostsPageTests.files("Song", seed: 90) }
        try await PlayedLibrary.with(files) { played in
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                let checks = try PageChecks("cast-checks.js")
                let told = try await checks.run("cast", in: browser, key: played.key)
                // The button is shown only if there is a device.
                #expect(told["hiddenWithout"] as? Bool == true)
                #expect(told["hiddenWith"] as? Bool == false)
                #expect(told["isLocal"] as? Bool == false)
                #expect((told["sought"] as? Double ?? 0) > 6)
                #expect(told["title"] as? String == "Song 2")
                #expect(told["status"] as? [Int] == [200, 200])
                // The token of one song does not open another one.
                #expect(told["foreign"] as? Int == 401 || told["foreign"] as? Int == 403)
                #expect(told["leaked"] as? Int == 0)
            }
        }
    }
}
