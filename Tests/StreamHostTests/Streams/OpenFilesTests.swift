import Companion
import Foundation
import MusicFiles
import Testing
import TestSupport

@testable import StreamHost

@Suite("Open files", .timeLimit(.minutes(30)))
struct OpenFilesTests {
    /// Whether this process has a file open or mapped below a folder.
    private static func isInUse(_ folder: String) throws -> Bool {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let isOpen = descriptors.contains { descriptor in
            // A descriptor that was just closed is no longer a link.
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)"))?
                .hasPrefix(folder + "/") == true
        }
        return try isOpen || String(contentsOfFile: "/proc/self/maps", encoding: .utf8).contains(folder + "/")
    }

    @Test("The file of an unused track is closed, so that its disk can be unmounted")
    func closed() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 20 * 44_100, seed: 31), ["-b", "128"])
        try await ServedLibrary.with([("one.mp3", piece)], settings: { $0.openFileSeconds = 4 }) { served in
            let id = try served.id("one.mp3")
            let folder = served.music.displayPath
            for _ in 0..<2 {
                // Three times on one connection.
                let list = try await served.get("/tracks/\(id)/stream.m3u8").text
                let line = try #require(list.split(separator: "\n").first { !$0.hasPrefix("#") })
                let address = try #require(URL(string: "\(served.base)/tracks/\(id)/stream.m3u8"))
                let resolved = try #require(URL(string: String(line), relativeTo: address)?.absoluteString)
                let run = try await ProcessRun.aside(
                    "curl", ["-sSf", "-H", served.authorization, resolved, resolved, resolved])
                #expect(run.output.count > 3000)
                #expect(try Self.isInUse(folder))
                try await until { try !Self.isInUse(folder) }
            }
        }
    }
}
