import Foundation
import TestSupport
import Testing

/// The quality that is downloaded on each kind of network, and seamless changes between qualities.
@Suite("Streaming quality", .serialized, .playbackPage(PlaybackSounds.tracks), .timeLimit(.minutes(30)))
struct PlaybackQualityTests {
    @Test("Streaming quality on cellular")
    func cellular() async throws {
        let told = try await PlaybackPage.told("streamingQualityOnCellular")
        #expect(try told.number("original") == 0)
        #expect(try told.number("low") >= 1)
        #expect(try told.text("quality") == "low")
        // 64 kbit/s against the original's 128.
        #expect(try (0.4...0.6).contains(told.number("share")))
    }

    @Test("Streaming quality on Wi-Fi")
    func wifi() async throws {
        let told = try await PlaybackPage.told("streamingQualityOnWiFi")
        #expect(try told.number("original") >= 1)
        #expect(try told.number("low") == 0)
        #expect(try told.text("quality") == "original")
    }

    @Test("Network type change (Wi-Fi to cellular)")
    func change() async throws {
        let told = try await PlaybackPage.told("wifiToCellular")
        #expect(try told.number("lowBefore") == 0)
        #expect(try told.number("lowAfter") >= 1)
        #expect(try told.number("interruptions") == 0)
    }

    @Test("Adaptive bitrate streaming")
    func adaptive() async throws {
        let told = try await PlaybackPage.told("adaptiveBitrateStreaming")
        #expect(try told.number("low") >= 1)
        #expect(try told.number("originalAgain") == 1)
        #expect(try told.number("seam") == 0)
    }

    @Test("A chosen quality is used on any network")
    func chosen() async throws {
        let told = try await PlaybackPage.told("chosenQuality")
        #expect(try told.text("original") == "original original")
        #expect(try told.text("low") == "low low")
    }

    @Test("A track without a low quality is played in the original quality")
    func none() async throws {
        let told = try await PlaybackPage.told("noLowQuality")
        #expect(try told.text("quality") == "original")
        #expect(try told.number("refused") == 1)
    }
}
