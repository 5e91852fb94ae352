import Foundation
import TestSupport
import Testing

/// Hosts killed during uploads. UPLOAD_KILLS sets the number; hundreds by hand.
@Suite("Uploads cut short", .timeLimit(.minutes(60)))
struct UploadKillTests {
    private static let kills = ProcessInfo.processInfo.environment["UPLOAD_KILLS"].flatMap { Int($0) } ?? 6
    private static let client = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../TestSupport/Clients/upload_client.py").standardizedFileURL.path(
            percentEncoded: false)

    /// The host's acknowledgements of an upload in parts.
    private struct Promise: Decodable {
        var path: String?
        var offset: Int?
        var name: String?
    }

    /// Checks every file that a player or a scan would see, and hidden files.
    /// - Parameter restored: a list of files restored from the trash, which may exist in addition to repeated uploads.
    private func expectWhole(_ fixture: MusicFixture, _ sources: [String: [UInt8]], restored: String) throws {
        let restored = (try? String(contentsOfFile: restored, encoding: .utf8)) ?? ""
        let returned = Set(restored.split(separator: "\n").map(String.init))
        var copies: [String: Int] = [:]
        let files = FileManager.default.enumerator(atPath: fixture.music)?.compactMap { $0 as? String } ?? []
        for name in files {
            var isFolder = ObjCBool(false)
            _ = FileManager.default.fileExists(atPath: fixture.file(name), isDirectory: &isFolder)
            if isFolder.boolValue { continue }
            let last = name.split(separator: "/").last ?? ""
            if last.hasPrefix(".") {
                #expect(last.hasPrefix(".audio-companion-"), "\(name)")
                continue
            }
            #expect(name.hasSuffix(".mp3"))
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: fixture.file(name))))
            // Tags are prepended to the audio.
            let source = sources.first {
                bytes.count >= $0.value.count && bytes.suffix($0.value.count).elementsEqual($0.value)
            }
            let found = try #require(source?.key, "\(name) is incomplete")
            if !name.hasPrefix(".trash/"), !returned.contains(name) { copies[found, default: 0] += 1 }
        }
        #expect(copies.values.allSatisfy { $0 == 1 }, "\(copies)")
    }

    @Test(
        "Killed at any moment, every file in the music folder is complete and unique, and acknowledgements hold"
    )
    func kill9() throws {
        let fixture = try MusicFixture()
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.file("files"), withIntermediateDirectories: true)
        var sources: [String: [UInt8]] = [:]
        for (number, bytes) in MadeMusic.pieces.enumerated() {
            sources["\(number).mp3"] = bytes
            try folder.write(bytes, as: "files/\(number).mp3")
        }
        var random = SeededGenerator(seed: 3)
        var promisesHeld = 0
        for round in 0..<Self.kills {
            let host = try RunningHost(fixture, ["--quiet"])
            #expect(try host.curl("/health").contains("ok"))
            // Leftovers of the last host were removed at startup.
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(fixture.data)/uploads")
            #expect(left.allSatisfy { $0.hasPrefix("upload-") }, "\(left)")
            if let promise = try? JSONDecoder().decode(
                Promise.self, from: Data(contentsOf: URL(filePath: folder.file("state")))),
                let path = promise.path, let offset = promise.offset
            {
                let answer = try host.curl(path)
                if answer.contains("no_such_upload") {
                    // The client had requested its removal.
                    #expect(offset == sources[promise.name ?? ""]?.count, "\(answer)")
                } else {
                    let match = try #require(answer.firstMatch(of: /"offset":([0-9]+)/), "\(answer)")
                    #expect(try #require(Int(match.output.1)) >= offset, "\(answer)")
                    _ = try host.curl(path, "-X", "DELETE")
                }
                promisesHeld += 1
            }
            try? FileManager.default.removeItem(atPath: folder.file("state"))
            let client = try RunningProgram([
                "python3", "-B", Self.client, host.base, folder.file("files"), folder.file("state"), "100000",
                "\(round)",
            ])
            usleep(UInt32.random(in: 20_000..<900_000, using: &random))
            #expect(client.isRunning, "\(client.errors)")
            host.program.signal(SIGKILL)
            _ = try host.program.wait()
            let run = try client.wait()
            #expect(run.status == 0, "\(run.errors)")
            try expectWhole(fixture, sources, restored: folder.file("state.restored"))
            try fixture.databases.copied().expectIntact()
        }
        // Bring the library up to date.
        let pass = try fixture.pass("--quiet")
        #expect(pass.status == 0 || pass.errors.contains("contains no .mp3"), "\(pass.errors)")
        try expectWhole(fixture, sources, restored: folder.file("state.restored"))
        try fixture.databases.expectIntact()
        print(
            "\(Self.kills) kills of a host under uploads, \(promisesHeld) uploads in parts looked at afterwards"
        )
    }
}
