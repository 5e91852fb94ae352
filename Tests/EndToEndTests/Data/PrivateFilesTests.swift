import Foundation
import TestSupport
import Testing

/// The programs' files are only accessible to their owner.
@Suite("Rights of the data folder", .timeLimit(.minutes(30)))
struct PrivateFilesTests {
    /// A umask that removes no permissions.
    private static let openMask = ["sh", "-c", "umask 0; exec \"$@\"", "sh"]

    /// Returns everything others can read, write or enter, including the folder itself.
    private func open(_ folder: String) throws -> [String] {
        try ProcessRun.run("find", [folder, "-perm", "/077", "-printf", "%m %p\\n"]).text
            .split(separator: "\n").map(String.init)
    }

    private func expectPrivate(_ fixture: MusicFixture) throws {
        let found = try open(fixture.data)
        #expect(found.isEmpty, "\(found)")
    }

    /// Runs a host that creates a library copy, a rendition and a cover, and checks its data folder meanwhile.
    private func serve(_ fixture: MusicFixture) throws {
        let host = try RunningHost(fixture, ["--no-announce"], wrapper: Self.openMask)
        #expect(try host.curl("/db", "-o", "/dev/null", "-w", "%{http_code}") == "200")
        let id = try #require(try fixture.databases.trackID("0.mp3"))
        for path in ["/tracks/\(id)/stream.m3u8?quality=low", "/api/covers/track/\(id)?size=100"] {
            _ = try host.curl(path, "-o", "/dev/null")
        }
        try expectPrivate(fixture)
        // An open connection has both.
        for name in ["library.sqlite-wal", "library.sqlite-shm", "running.json"] {
            #expect(FileManager.default.fileExists(atPath: fixture.data + "/" + name), "\(name)")
        }
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
    }

    @Test(
        "Databases, locks, copies and the data folder are private, whatever the umask; existing ones become private"
    )
    func privacy() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        #expect(try fixture.pass(wrapper: Self.openMask).status == 0)
        try expectPrivate(fixture)
        try serve(fixture)
        try expectPrivate(fixture)
        // Those of a jukebox, of stations and of a host that follows another one.
        for name in ["jukebox.json", "following-x.sqlite", "radio/a", "parts/a", "fetched/a", "stored/a"] {
            let url = URL(filePath: "\(fixture.data)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url)
        }
        // As left by an earlier version.
        try ProcessRun.run("chmod", ["-R", "a+rwX", fixture.data])
        #expect(try open(fixture.data).count > 5)
        #expect(try fixture.pass(wrapper: Self.openMask).status == 0)
        try expectPrivate(fixture)
    }

    @Test("A folder for frames is private too; a folder with other contents keeps its permissions")
    func otherFolders() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let frames = fixture.data + "-frames"
        try FileManager.default.createDirectory(atPath: fixture.data, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: fixture.data + "/notes.txt"))
        try ProcessRun.run("chmod", ["755", fixture.data])
        try ProcessRun.run("chmod", ["644", fixture.data + "/notes.txt"])
        #expect(try fixture.pass("--frames", frames, wrapper: Self.openMask).status == 0)
        #expect(try open(frames) == [])
        #expect(try Set(open(fixture.data)) == ["755 \(fixture.data)", "644 \(fixture.data)/notes.txt"])
    }
}
