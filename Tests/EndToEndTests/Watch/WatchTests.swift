import Foundation
import TestSupport
import Testing

/// `--watch`: complete changes are in the library within seconds.
@Suite("Watch", .serialized)
struct WatchTests {
    /// Seconds within which a complete change must be picked up; more on a busy machine.
    private static let promised = 5.0

    @Test("New, moved, changed and deleted files and new folders are picked up; SIGTERM ends it")
    func changes() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let program = try fixture.start("--watch", "--json")
        defer { program.signal(SIGKILL) }
        #expect(program.waits(20) { paths(program) == ["0.mp3", "1.mp3"] }, "\(program.errors)")

        func expect(_ what: String, _ condition: () throws -> Bool) throws {
            let start = Date()
            #expect(try program.waits(Self.promised + 5, until: condition), "\(what): \(program.errors)")
            #expect(Date().timeIntervalSince(start) < Self.promised, "\(what)")
        }
        try fixture.add(MadeMusic.pieces[2], as: "new.mp3")
        try expect("a new file") { paths(program).contains("new.mp3") }
        try fixture.add(MadeMusic.pieces[3], as: "folder/deep/new 2.mp3")
        try expect("a new folder") { paths(program).contains("folder/deep/new 2.mp3") }
        try fixture.add(MadeMusic.pieces[4], as: "folder/deep/new 3.mp3")
        try expect("a file in the new folder") { paths(program).contains("folder/deep/new 3.mp3") }
        try fixture.move("new.mp3", to: "folder/moved.mp3")
        try expect("a moved file") { paths(program).contains("folder/moved.mp3") }
        let before = try count(fixture, "analyses")
        try fixture.add(MadeMusic.pieces[5], as: "0.mp3")
        try expect("a changed file") { try count(fixture, "analyses") == before + 1 }
        try fixture.remove("1.mp3")
        try expect("a deleted file") { try count(fixture, "tracks WHERE unavailable_since_ms IS NULL") == 4 }
        try fixture.add(Array("no music".utf8), as: "bad.mp3")
        try expect("a bad file") { program.errors.contains("failed    bad.mp3") }

        program.signal(SIGTERM)
        let run = try program.wait()
        #expect(run.status == 0)
        // Each change is reported once, and so is the failure.
        #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("failed") }.count == 1)
        let lines = try TrackLine.all(run).map(\.path)
        #expect(lines.filter { $0 == "folder/deep/new 2.mp3" }.count == 1, "\(lines)")
        #expect(
            try fixture.databases.count("SELECT count(*) FROM tracks WHERE relative_path = 'new.mp3'") == 0)
        try fixture.databases.expectIntact()
        #expect(try fixture.databases.incomplete().isEmpty)
    }

    @Test("A file that is written slowly, with pauses, is analysed once, when it is complete")
    func slowWriter() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let program = try fixture.start("--watch")
        defer { program.signal(SIGKILL) }
        #expect(program.waits(20) { program.errors.contains("done: 1 analysed") })
        try fixture.add([], as: "slow.mp3")
        let file = try #require(FileHandle(forWritingAtPath: fixture.file("slow.mp3")))
        let bytes = MadeMusic.pieces[1]
        for part in 0..<3 {
            try file.write(contentsOf: Data(bytes[bytes.count * part / 3..<bytes.count * (part + 1) / 3]))
            // Longer than the time a file must be unchanged to count as complete.
            usleep(2_600_000)
            #expect(!program.errors.contains("slow.mp3"), "\(program.errors)")
        }
        try file.close()
        let closed = Date()
        #expect(program.waits(10) { program.errors.contains("analysed  slow.mp3") }, "\(program.errors)")
        #expect(Date().timeIntervalSince(closed) < Self.promised)
        program.signal(SIGINT)
        let run = try program.wait()
        #expect(run.errorLines.filter { $0.contains("slow.mp3") }.count == 1, "\(run.errors)")
        #expect(try fixture.databases.count("SELECT count(*) FROM tracks") == 2)
    }

    @Test("An empty folder is watched; --force applies only to the first pass")
    func emptyFolder() throws {
        let fixture = try MusicFixture()
        let program = try fixture.start("--watch", "--force")
        defer { program.signal(SIGKILL) }
        #expect(program.waits(20) { program.errors.contains("no music files yet") })
        try fixture.add(MadeMusic.pieces[0], as: "a.mp3")
        #expect(program.waits(10) { program.errors.contains("analysed  a.mp3") })
        try fixture.add(MadeMusic.pieces[1], as: "b.mp3")
        #expect(program.waits(10) { program.errors.contains("analysed  b.mp3") })
        program.signal(SIGTERM)
        #expect(try program.wait().errorLines.filter { $0.contains("analysed  a.mp3") }.count == 1)
    }

    /// Returns the paths printed as complete JSON lines so far.
    private func paths(_ program: RunningProgram) -> Set<String> {
        Set(
            program.output.split(separator: "\n").compactMap { line in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return object?["relative_path"] as? String
            })
    }

    private func count(_ fixture: MusicFixture, _ what: String) throws -> Int {
        try fixture.databases.count("SELECT count(*) FROM \(what)")
    }
}
