import Foundation
import TestSupport
import Testing

/// A data folder belongs to one music folder, and to one host at a time.
@Suite("Music folder of a data folder", .timeLimit(.minutes(30)))
struct MusicBindingTests {
    /// A library of three analysed tracks.
    private func analysed() throws -> MusicFixture {
        let fixture = try MusicFixture(pieces: 0..<3)
        #expect(try fixture.pass().status == 0)
        return fixture
    }

    private func available(_ fixture: MusicFixture) throws -> Int {
        try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL")
    }

    /// Starts a host, and stops it if it does not exit by itself.
    private func refused(_ music: String, _ data: String, _ options: String...) throws -> ProgramRun {
        let host = try RunningProgram(
            [
                BuiltProgram.path("stream-host"), "serve", "--music", music, "--data", data, "--port", "0",
                "--no-announce",
            ] + options)
        _ = host.waits(60) { !host.isRunning || host.output.contains("listening") }
        if host.isRunning {
            // Enough time for its first scan of the folder.
            sleep(3)
            host.signal(SIGTERM)
        }
        return try host.wait()
    }

    @Test("Another music folder is rejected, and the catalogue does not change; --rebind accepts it")
    func otherFolder() throws {
        let fixture = try analysed()
        let other = try MusicFixture()
        try other.add(MadeMusic.pieces[5], as: "5.mp3")
        let contents = try fixture.databases.contents()
        for run in [
            try AnalyzeCLI.run(other.music, "--data", fixture.data),
            try refused(other.music, fixture.data),
            try AnalyzeCLI.run("tag", other.music, "--data", fixture.data),
        ] {
            #expect(run.status == 2)
            for word in [fixture.data, fixture.music, other.music, "--data", "--rebind"] {
                #expect(run.errors.contains(word), "\(word): \(run.errors)")
            }
        }
        #expect(try fixture.databases.contents() == contents)
        #expect(try available(fixture) == 3)

        let rebound = try AnalyzeCLI.run(other.music, "--data", fixture.data, "--rebind")
        #expect(rebound.status == 0, "\(rebound.errors)")
        #expect(try available(fixture) == 1)
        #expect(try fixture.pass().status == 2)
        #expect(try available(fixture) == 1)
    }

    @Test("A moved or copied folder, and a data folder of an earlier version, are recognised")
    func sameFolder() throws {
        let fixture = try analysed()
        let file = fixture.data + "/music-folder.json"
        func pass(_ music: String) throws {
            let run = try AnalyzeCLI.run(music, "--data", fixture.data)
            #expect(run.status == 0 && run.errors.contains("3 unchanged"), "\(run.errors)")
            let path = try ProcessRun.run("realpath", [music]).text.trimmingCharacters(in: .newlines)
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"\(path)\""))
        }
        let moved = fixture.music + "-moved"
        try FileManager.default.moveItem(atPath: fixture.music, toPath: moved)
        try pass(moved)
        // A new disk: other inodes, the same files except one.
        let copied = fixture.music + "-copied"
        try ProcessRun.run("cp", ["-r", "--preserve=timestamps", moved, copied])
        try FileManager.default.removeItem(atPath: moved)
        try pass(copied)
        // With renamed files it is still the same folder.
        for name in ["0", "1", "2"] {
            try FileManager.default.moveItem(
                atPath: "\(copied)/\(name).mp3", toPath: "\(copied)/new \(name).mp3")
        }
        #expect(try AnalyzeCLI.run(copied, "--data", fixture.data).status == 0)
        #expect(try available(fixture) == 3)
        try FileManager.default.removeItem(atPath: file)
        try pass(copied)
        try FileManager.default.removeItem(atPath: file)
        let other = try MusicFixture(pieces: 4..<5)
        #expect(try AnalyzeCLI.run(other.music, "--data", fixture.data).status == 2)
        #expect(try available(fixture) == 3)
    }

    @Test("An empty folder in place of the music, as with an unmounted disk, changes nothing")
    func unmounted() throws {
        let fixture = try analysed()
        try FileManager.default.moveItem(atPath: fixture.music, toPath: fixture.music + "-disk")
        try FileManager.default.createDirectory(atPath: fixture.music, withIntermediateDirectories: false)
        let empty = try fixture.pass()
        #expect(empty.status == 2 && empty.errors.contains("contains no"), "\(empty.errors)")
        try FileManager.default.removeItem(atPath: fixture.music)
        try FileManager.default.moveItem(atPath: fixture.music + "-disk", toPath: fixture.music)
        let again = try fixture.pass()
        #expect(again.status == 0 && again.errors.contains("3 unchanged"), "\(again.errors)")
    }

    @Test(
        "While a host runs, a second host and rebinding are rejected, and a pass over the same music works")
    func besideHost() throws {
        let fixture = try analysed()
        let other = try MusicFixture(pieces: 4..<5)
        let host = try RunningHost(fixture, ["--no-announce"])
        let second = try refused(fixture.music, fixture.data)
        #expect(second.status == 2)
        #expect(
            second.errors.contains("another host")
                && second.errors.contains("process \(host.program.processID)"),
            "\(second.errors)")
        let pass = try fixture.pass()
        #expect(pass.status == 0 && pass.errors.contains("3 unchanged"), "\(pass.errors)")
        let rebinding = try AnalyzeCLI.run(other.music, "--data", fixture.data, "--rebind")
        #expect(
            rebinding.status == 2 && rebinding.errors.contains("stop that program"), "\(rebinding.errors)")
        #expect(try available(fixture) == 3)
        #expect(try host.curl("/health").contains("ok"))
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
        // A killed host does not block anything.
        let killed = try RunningHost(fixture, ["--no-announce"])
        killed.program.signal(SIGKILL)
        _ = try killed.program.wait()
        let next = try RunningHost(fixture, ["--no-announce"])
        next.program.signal(SIGTERM)
        #expect(try next.program.wait().status == 0)
    }
}
