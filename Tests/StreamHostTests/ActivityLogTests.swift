import Companion
import Foundation
import HostAccounts
import MusicShared
import Synchronization
import Testing
import TestSupport

@testable import StreamHost

@Suite("Activity log", .timeLimit(.minutes(30)))
struct ActivityLogTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("Each scan, edit, upload and deletion logs one line with the action and the number of files")
    func lines() async throws {
        let lines = Lines()
        let files = try [("one.mp3", 41), ("two.mp3", 43)].map { name, seed in
            (name, try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: UInt64(seed)), ["-b", "64"]))
        }
        try await ServedLibrary.with(files, watches: true, settings: { $0.activityLog = { lines.add($0) } }) {
            served in
            try await until { lines.all.contains("scan: 2 files, 0 new or changed, 0 returned, 0 missing") }
            let folder = try TemporaryDirectory()
            let new = try folder.write(
                try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: 42), ["-b", "64", "--tt", "New"]),
                as: "new.mp3")
            let sent = try await served.get(Routes.upload, ["-F", "file=@\(new)"])
            #expect(sent.status == 200)
            let report = try JSONDecoder().decode(UploadReport.self, from: Data(sent.body))
            let path = try #require(report.files.first?.relativePath)
            #expect(lines.all.contains("upload or restore: 1 file added, \(path)"))
            let id = try served.id("two.mp3")
            let edited = try await served.get(
                "/edit-metadata",
                [
                    "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                    #"{"id":\#(id),"title":"Changed"}"#,
                ])
            #expect(edited.status == 200, "\(edited.text)")
            try await until { lines.all.contains("edit: 1 file changed, two.mp3") }
            #expect(try await served.get("/tracks/\(id)", ["-X", "DELETE"]).status == 200)
            #expect(lines.all.contains("delete: 1 file removed, two.mp3"))
            try FileManager.default.removeItem(atPath: served.file("one.mp3"))
            try await until {
                lines.all.contains { $0.wholeMatch(of: /(watch|scan): .*, 1 missing/) != nil }
            }
            #expect(!lines.all.contains { $0.contains(served.secrets.apiKeyText) })
        }
    }
}
