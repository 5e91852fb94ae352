import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import Testing
import TestSupport

/// The copies of music files on a host that follows another one.
@Suite("Copies of music files", .timeLimit(.minutes(30)))
struct AudioCopyTests {
    private func play(_ name: String, _ primary: ServedLibrary, _ follower: FollowingHost) async throws
        -> [UInt8]
    {
        let id = try primary.id(name)
        return try await follower.ask("/api/files/\(id)/stream", key: primary.secrets.apiKeyText).body
    }

    @Test(
        "The least recently played copies are deleted at the limit, and a response that reads one is complete"
    )
    func limit() async throws {
        // Three files of about 1.9 MB, of which two fit.
        try await FollowingHost.with(audioCacheBytes: 4_500_000, trackSeconds: 120) { primary, follower in
            let key = primary.secrets.apiKeyText
            for (number, name) in ["1.mp3", "2.mp3"].enumerated() {
                _ = try await play(name, primary, follower)
                try await until { follower.copiedFiles.count == number + 1 }
            }
            // A slow client reads the second file while it is deleted.
            let directory = try TemporaryDirectory()
            try directory.write([], as: "slow")
            let slow = try ChildProcess(
                [
                    "curl", "-sS", "-m", "240", "--limit-rate", "400k", "-H", "Authorization: Bearer \(key)",
                    "http://127.0.0.1:\(follower.server.port)/api/files/\(try primary.id("2.mp3"))/stream",
                ], output: .file(directory.file("slow")))
            try await until { try !directory.read("slow").isEmpty }
            _ = try await play("1.mp3", primary, follower)
            _ = try await play("3.mp3", primary, follower)
            try await until { Set(follower.copiedFiles) == ["1.mp3", "3.mp3"] }
            try await until { !slow.isRunning }
            let original = [UInt8](try Data(contentsOf: URL(filePath: primary.file("2.mp3"))))
            #expect(try directory.read("slow") == original)
            let cached =
                try await follower.ask("/health", key: key).json("following", "cached_audio_bytes") as? Int
            #expect((1...4_500_000).contains(try #require(cached)))
            // It is copied again, and complete.
            #expect(try await play("2.mp3", primary, follower) == original)
            try await until { follower.copiedFiles.contains("2.mp3") }
            #expect([UInt8](try Data(contentsOf: URL(filePath: follower.copy("2.mp3")))) == original)
        }
    }

    @Test("Audio other than the library's is not kept, though it has the same size")
    func otherAudio() async throws {
        try await FollowingHost.with { primary, follower in
            // The primary's file changes behind its back; size and time stay.
            let path = primary.file("1.mp3")
            let directory = try TemporaryDirectory()
            let times = directory.file("times")
            try directory.write([], as: "times")
            _ = try await ProcessRun.aside("touch", ["-r", path, times])
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let middle = bytes.count / 2
            for index in middle..<middle + 64 { bytes[index] ^= 0x55 }
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.write(contentsOf: bytes)
            try file.close()
            _ = try await ProcessRun.aside("touch", ["-r", times, path])
            _ = try await play("1.mp3", primary, follower)
            try await until { follower.reports.contains { $0.contains("cannot be copied") } }
            #expect(follower.copiedFiles.isEmpty)
            _ = try await play("2.mp3", primary, follower)
            try await until { follower.copiedFiles == ["2.mp3"] }
        }
    }
}
