import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("Files that change while the host runs", .timeLimit(.minutes(30)))
struct ChangedFileTests {
    private func piece(_ seed: UInt64, _ options: [String] = ["-b", "96"]) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 8 * 44_100, seed: seed), options)
    }

    /// Retries until the request succeeds.
    private func eventually(_ ask: () async throws -> ServedLibrary.Answer) async throws
        -> ServedLibrary.Answer
    {
        try await until {
            let answer = try await ask()
            return answer.status == 200 ? answer : nil
        }
    }

    @Test("A replaced file is rejected with 409, analysed again and then served")
    func replaced() async throws {
        try await ServedLibrary.with([("one.mp3", try piece(1))]) { served in
            let id = try served.id("one.mp3")
            let path = "/tracks/\(id)/segments/0.mp3"
            let before = try await served.get(path)
            #expect(before.status == 200)
            try Data(try piece(2, ["-V", "3"])).write(to: URL(filePath: served.file("one.mp3")))
            let changed = try await served.get(path)
            #expect(changed.status == 409)
            #expect(try changed.json("error", "code") as? String == "file_changed")
            let after = try await eventually { try await served.get(path) }
            #expect(after.status == 200 && after.body != before.body)
            #expect(after.field("ETag") != before.field("ETag"))
        }
    }

    @Test("A file with a longer tag is served from its new offset")
    func retagged() async throws {
        let bytes = try piece(3)
        try await ServedLibrary.with([("one.mp3", bytes)]) { served in
            let path = "/tracks/\(try served.id("one.mp3"))/segments/0.mp3"
            let before = try await served.get(path)
            // Prepend an ID3v2 tag with 5,000 bytes of padding.
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 39, 8] + [UInt8](repeating: 0, count: 39 << 7 | 8)
            try Data(tag + bytes).write(to: URL(filePath: served.file("one.mp3")))
            _ = try await served.get(path)
            let after = try await eventually { try await served.get(path) }
            #expect(after.status == 200 && after.body == before.body)
        }
    }

    @Test("A missing file is 404 and the error names it")
    func gone() async throws {
        try await ServedLibrary.with([("one.mp3", try piece(4)), ("two.mp3", try piece(5))]) { served in
            let id = try served.id("one.mp3")
            try FileManager.default.removeItem(atPath: served.file("one.mp3"))
            let answer = try await served.get("/tracks/\(id)/stream.m3u8")
            #expect(answer.status == 404)
            #expect(try answer.json("error", "code") as? String == "file_missing")
            #expect(answer.text.contains("one.mp3"))
        }
    }

    @Test("Cached segment responses end when the file changes or the token expires")
    func kept() async throws {
        try await ServedLibrary.with([("one.mp3", try piece(6))]) { served in
            let id = try served.id("one.mp3")
            let path = "/tracks/\(id)/segments/0.mp3"
            let made = try await served.get("/auth/token?track_id=\(id)&seconds=2", ["-X", "POST"])
            let token = try #require(try made.json("token") as? String)
            let header = try #require(served.authorization.split(separator: ": ").last)
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clients")
            let run = try await PythonClient.run(
                folder.appending(path: "kept_segments.py").path(percentEncoded: false),
                [
                    "\(served.server.port)", String(header), path, served.file("one.mp3"),
                    "\(path)?token=\(token)",
                ])
            let told = try #require(
                try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Int])
            #expect(told["first"] == 200 && told["same"] == 4)
            #expect(told["wrong"] == 401)
            #expect(told["byToken"] == 200 || (told["tokenCount"] == 1 && told["byToken"] == 401))
            #expect(told["atLast"] == 401)
            #expect(told["changed"] == 409)
        }
    }
}
