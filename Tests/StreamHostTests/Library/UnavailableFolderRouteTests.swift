import Companion
import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import Testing
import TestSupport

@testable import StreamHost

/// Missing folders and the confirmation of their removal.
@Suite("Unavailable folders over HTTP", .timeLimit(.minutes(15)))
struct UnavailableFolderRouteTests {
    private func folders(_ served: ServedLibrary) async throws -> [UnavailableFolder] {
        let answer = try await served.get("/health")
        let report = try JSONDecoder().decode(HealthReport.self, from: Data(answer.body))
        return try #require(report.unavailableFolders)
    }

    private func confirm(_ served: ServedLibrary, _ body: String) async throws -> ServedLibrary.Answer {
        try await served.get(
            Routes.removalConfirmation,
            ["-X", "POST", "-H", "Content-Type: application/json", "-d", body])
    }

    private func available(_ served: ServedLibrary) throws -> Set<String> {
        var paths: Set<String> = []
        try served.library.forEachTrackState { if $0.isAvailable { paths.insert($0.path.text) } }
        return paths
    }

    @Test("Tracks behind a dangling link are kept until its removal is confirmed")
    func confirmed() async throws {
        let files: [(name: String, bytes: [UInt8])] = try (1...3).map { seed in
            (
                seed == 1 ? "1.mp3" : "../disk/\(seed).mp3",
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: UInt64(seed)), ["-b", "64"])
            )
        }
        let served = try await aside {
            try ServedLibrary(
                files, parts: [],
                arrange: { folder in
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(folder)/linked", withDestinationPath: "../disk")
                }, watches: true)
        }
        let all: Set = ["1.mp3", "linked/2.mp3", "linked/3.mp3"]
        #expect(try available(served) == all)
        #expect(try await folders(served).isEmpty)
        let disk = served.file("../disk")
        let away = served.file("../away")
        #expect(rename(disk, away) == 0)
        try await until { try await !folders(served).isEmpty }
        let found = try await folders(served)
        #expect(found.map(\.relativePath) == ["linked"] && found.map(\.trackCount) == [2])
        #expect(found.map(\.reason) == [.danglingLink])
        #expect(try available(served) == all)
        #expect(try await served.get("/health", key: "").text == "{\"status\":\"ok\"}")

        // An empty body must not confirm everything, and a partly invalid request must confirm nothing.
        for (body, code) in [
            ("{}", "missing_field"), ("{\"relative_paths\": []}", "invalid_field"),
            ("{\"relative_paths\": [\"other\"]}", "not_unavailable"),
            ("{\"relative_paths\": [\"linked\", \".\"]}", "not_unavailable"),
        ] {
            let answer = try await confirm(served, body)
            #expect(answer.status >= 400, "\(body)")
            #expect(try answer.json("error", "code") as? String == code, "\(body): \(answer.text)")
        }
        #expect(try available(served) == all)
        #expect(try await served.get(Routes.removalConfirmation, ["-X", "POST"], key: "").status == 401)

        let answer = try await confirm(served, "{\"relative_paths\": [\"linked\"]}")
        #expect(answer.status == 200, "\(answer.text)")
        let report = try JSONDecoder().decode(RemovalReport.self, from: Data(answer.body))
        #expect(report == RemovalReport(removedCount: 2, unavailableFolders: []))
        #expect(try available(served) == ["1.mp3"])
        #expect(try await folders(served).isEmpty)
        await served.shutdown()
    }

    @Test("A link whose target is back is available again, and new files in it are found")
    func returned() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1), ["-b", "64"])
        let served = try await aside {
            try ServedLibrary(
                [("1.mp3", piece), ("../disk/2.mp3", piece + [1])], parts: [],
                arrange: { folder in
                    try FileManager.default.createSymbolicLink(
                        atPath: "\(folder)/linked", withDestinationPath: "../disk")
                }, watches: true)
        }
        let disk = served.file("../disk")
        let away = served.file("../away")
        #expect(rename(disk, away) == 0)
        try await until { try await folders(served).map(\.relativePath) == ["linked"] }
        // An ordinary deletion is still noticed.
        #expect(unlink(served.file("1.mp3")) == 0)
        try await until { try available(served) == ["linked/2.mp3"] }
        try Data(piece + [2]).write(to: URL(filePath: "\(away)/3.mp3"))
        #expect(rename(away, disk) == 0)
        try await until { try await folders(served).isEmpty }
        try await until { try available(served).contains("linked/3.mp3") }
        #expect(try available(served) == ["linked/2.mp3", "linked/3.mp3"])
        await served.shutdown()
    }
}
