import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// The queue as real programs share it: hosts and passes that meet, and that are killed.
@Suite("Shared queue", .serialized, .timeLimit(.minutes(30)))
struct SharedQueueTests {
    /// How many hosts are killed: AUDIO_COMPANION_KILLS for hundreds.
    private static let kills =
        ProcessInfo.processInfo.environment["AUDIO_COMPANION_KILLS"].flatMap { Int($0) } ?? 12
    private static let long = Result { try MadeMusic.long(megabytes: 30) }

    private func host(_ fixture: MusicFixture, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            [
                BuiltProgram.path("stream-host"), "serve", "--music", fixture.music, "--data", fixture.data,
                "--port", "0",
            ] + arguments)
    }

    private func tasks(_ fixture: MusicFixture, _ condition: String = "1") throws -> Int {
        let path = fixture.data + "/work.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return -1 }
        let database = try Database(path: path, options: .init(access: .readOnly))
        let exists: Int? = try database.scalar(
            "SELECT count(*) FROM sqlite_schema WHERE name IN ('tasks', 'jobs', 'events')")
        guard exists == 3 else { return -1 }
        return try database.scalar("SELECT count(*) FROM tasks WHERE \(condition)") ?? -1
    }

    private func tracks(_ fixture: MusicFixture) throws -> Int { try rows("tracks", fixture) }

    private func failures(_ fixture: MusicFixture) throws -> Int { try rows("analysis_failures", fixture) }

    /// How many rows a table has, which may not be there yet.
    private func rows(_ table: String, _ fixture: MusicFixture) throws -> Int {
        let path = fixture.databases.library
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let database = try Database(path: path, options: .init(access: .readOnly))
        let exists: Int? = try database.scalar("SELECT count(*) FROM sqlite_schema WHERE name = ?", [table])
        return exists == 1 ? try database.scalar("SELECT count(*) FROM \(table)") ?? 0 : 0
    }

    @Test(
        "A host killed at any moment leaves a whole library; the next goes on with the queue to the same end")
    func killedHosts() throws {
        let undisturbed = try MusicFixture(pieces: 0..<8)
        let whole = try undisturbed.pass("--jobs", "1")
        #expect(whole.status == 0)
        let truth = try undisturbed.databases.contents()
        let length = UInt32(max(0.3, whole.seconds) * 1.2e6)
        var random = SeededGenerator(seed: 11)
        var fixture = try MusicFixture(pieces: 0..<8)
        var hits = 0
        for round in 0..<Self.kills {
            // A file that a host dies of five times is left alone: so from nothing every few rounds.
            if round % 4 == 0 { fixture = try MusicFixture(pieces: 0..<8) }
            let program = try host(fixture, "--jobs", "2")
            // Half of them once work has begun, since a busy machine may take long to come so far; half at any moment.
            if round % 2 == 0, try program.waits(60, until: { try tasks(fixture, "worker IS NOT NULL") > 0 })
            {
                hits += 1
            }
            usleep(UInt32.random(in: 0..<length / (round % 2 == 0 ? 8 : 1), using: &random))
            program.signal(SIGKILL)
            _ = try program.wait()
            try fixture.databases.copied().expectIntact()
            if FileManager.default.fileExists(atPath: fixture.data + "/work.sqlite") {
                let copy = try fixture.databases.copied()
                let check = try ProcessRun.run(
                    "sqlite3", [copy.folder + "/work.sqlite", "PRAGMA integrity_check"])
                #expect(check.text == "ok\n")
            }
            if try tracks(fixture) > 0 {
                #expect(try fixture.databases.copied().incomplete().isEmpty)
            }
            guard round % 4 == 3 || round == Self.kills - 1 else { continue }
            let last = try host(fixture)
            // Before it listens, it does not yet know what to do when it is asked to end.
            #expect(
                try last.waits(120) {
                    try last.output.contains("listening") && tracks(fixture) == 8 && tasks(fixture) == 0
                }, "\(last.errors)")
            last.signal(SIGTERM)
            #expect(try last.wait().status == 0)
            #expect(try fixture.databases.contents() == truth)
            try fixture.databases.expectIntact()
        }
        #expect(hits >= Self.kills / 4, "\(hits) of \(Self.kills) were killed with something begun")
    }

    @Test(
        "A pass beside a host that analyses, and a host beside a pass: each file is decoded once",
        arguments: [true, false])
    func together(hostIsFirst: Bool) throws {
        let fixture = try MusicFixture(pieces: 0..<8)
        try fixture.add(try Self.long.get(), as: "long.mp3")
        let first = hostIsFirst ? try host(fixture) : try fixture.start("--jobs", "1", "--json")
        #expect(try first.waits(60) { try tasks(fixture, "worker IS NOT NULL") > 0 })
        let second = hostIsFirst ? try fixture.start("--jobs", "1", "--json") : try host(fixture)
        let (pass, running) = hostIsFirst ? (second, first) : (first, second)
        let run = try pass.wait()
        #expect(run.status == 0, "\(run.errors)")
        // The pass tells of all files, whoever has done them.
        #expect(try TrackLine.all(run).count == 9)
        #expect(try running.waits(60) { try tasks(fixture) == 0 })
        #expect(try fixture.databases.incomplete().isEmpty)
        running.signal(SIGTERM)
        #expect(try running.wait().status == 0)
        let database = try Database(
            path: fixture.data + "/work.sqlite", options: .init(access: .readOnly))
        var ready: [String] = []
        try database.forEach(
            """
            SELECT value ->> 'relative_path' FROM events, json_each(content, '$.tracks')
            WHERE content ->> 'type' = 'frames_ready'
            """
        ) { ready.append(try $0[0]) }
        #expect(ready.count == 9 && Set(ready).count == 9, "\(ready)")
        try fixture.databases.expectIntact()
    }

    @Test("A file of which the program dies each time is left alone in the end, and the others are done")
    func poisonous() throws {
        let fixture = try MusicFixture(pieces: 0..<3)
        try fixture.add(try Self.long.get(), as: "poison.mp3")
        let mostDeaths = 5
        var deaths = 0
        while deaths < 20 {
            let program = try host(fixture)
            let isBegun = try program.waits(60) {
                // What the one before had begun has fewer attempts. After the last one it is given up, not begun.
                try failures(fixture) == 1
                    || deaths < mostDeaths
                        && tasks(fixture, "relative_path = 'poison.mp3' AND attempts > \(deaths)") == 1
            }
            #expect(isBegun)
            let isGivenUp = try failures(fixture) == 1
            program.signal(SIGKILL)
            _ = try program.wait()
            if isGivenUp { break }
            deaths += 1
        }
        #expect(deaths == mostDeaths)
        #expect(
            try fixture.databases.count(
                "SELECT count(*) FROM analysis_failures WHERE error_code = 'killed_program'") == 1)
        // It is left alone until it changes, or somebody insists.
        let pass = try fixture.pass("--json")
        #expect(pass.status == 1 && pass.errors.contains("poison.mp3"), "\(pass.errors)")
        #expect(try TrackLine.all(pass).count == 4)
        let forced = try fixture.pass("--force")
        #expect(forced.status == 0, "\(forced.errors)")
        #expect(try fixture.databases.incomplete().isEmpty)
    }

    @Test("A host takes in what is new, moved, changed and deleted; a graceful end gives back what it was at")
    func watching() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let program = try host(fixture)
        #expect(try program.waits(60) { try tracks(fixture) == 2 })
        try fixture.add(MadeMusic.pieces[2], as: "new/2.mp3")
        #expect(try program.waits(60) { try tracks(fixture) == 3 })
        let id = try fixture.databases.trackID("new/2.mp3")
        try fixture.move("new/2.mp3", to: "moved/here.mp3")
        #expect(try program.waits(60) { try fixture.databases.trackID("moved/here.mp3") != nil })
        #expect(try fixture.databases.trackID("moved/here.mp3") == id && id != nil)
        try fixture.move("moved", to: "folder")
        #expect(try program.waits(60) { try fixture.databases.trackID("folder/here.mp3") == id })
        try fixture.remove("0.mp3")
        #expect(
            try program.waits(60) {
                try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL")
                    == 2
            })
        try fixture.add(MadeMusic.pieces[3], as: "1.mp3")
        #expect(
            try program.waits(60) { try fixture.databases.count("SELECT count(*) FROM analyses") == 4 })
        try fixture.add(try Self.long.get(), as: "long.mp3")
        #expect(try program.waits(60) { try tasks(fixture, "worker IS NOT NULL") == 1 })
        program.signal(SIGTERM)
        let run = try program.wait()
        #expect(run.status == 0)
        #expect(try tasks(fixture, "worker IS NULL AND attempts = 0") == 1, "\(run.errors)")
    }
}
