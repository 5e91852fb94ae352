import Companion
import Foundation
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

@Suite("Health", .timeLimit(.minutes(30)))
struct HealthTests {
    private func report(_ served: ServedLibrary) async throws -> HealthReport {
        let answer = try await served.get("/health")
        #expect(answer.status == 200)
        return try JSONDecoder().decode(HealthReport.self, from: Data(answer.body))
    }

    @Test(
        "Details are only returned with a valid key; otherwise only the status")
    func facts() async throws {
        let files = try (1...3).map { seed in
            (
                "\(seed).mp3",
                try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: UInt64(seed)), ["-b", "64"])
            )
        }
        // A copy with different tags adds a track, but no audio.
        let copy = ("copy.mp3", [UInt8](files[0].1) + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125))
        try await ServedLibrary.with(files + [copy]) { served in
            let first = try await report(served)
            #expect(first.status == "ok" && first.version?.isEmpty == false)
            #expect(first.trackCount == 4 && first.profileCount == 3 && first.spectrumCacheSize == 3)
            #expect(first.queueLength == 0 && first.connectedClients == 0)
            // 2 s × 30 frames × 64 bands, three times.
            #expect(try #require(first.spectrumCacheBytes) >= 3 * 2 * 30 * 64)
            try FileManager.default.removeItem(atPath: served.file("3.mp3"))
            _ = try await aside {
                try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            }
            let second = try await report(served)
            #expect(second.trackCount == 3 && second.profileCount == 3)
            #expect(try #require(second.uptimeSeconds) > #require(first.uptimeSeconds))
            for key in ["", Self.wrongKey] {
                #expect(try await served.get("/health", key: key).text == "{\"status\":\"ok\"}")
            }
            #expect(try await served.get("/health?token=1.2.3", key: "").text == "{\"status\":\"ok\"}")
        }
    }

    /// A string with the form of a key.
    private static let wrongKey = String(repeating: "A", count: 43)
}
