import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// The queue shared by real programs: concurrent hosts and passes that are killed.
@Suite("Shared queue", .serialized, .timeLimit(.minutes(30)))
struct SharedQueueTests {
    /// Number of hosts to kill: AUDIO_COMPANION_KILLS for hundreds.
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

    /// Returns the number of rows in a table, which may not exist yet.
    private func rows(_ table: String, _ fixture: MusicFixture) throws -> Int {
        let path = fixture.databases.library
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let database = try Database(path: path, options: .init(access: .readOnly))
        let exists: Int? = try database.scalar("SELECT count(*) FROM sqlite_schema WHERE name = ?", [table])
        return exists == 1 ? try database.scalar("SELECT count(*) FROM \(table)") ?? 0 : 0
    }

    @Test(
        "A host killed at any moment leaves an intact library; the next one completes the queue")
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
            // A file that kills a host five times is skipped, so start from scratch every few rounds.
            if round % 4 == 0 { fixture = try MusicFixture(pieces: 0..<8) }
            let program = try host(fixture, "--jobs", "2")
            // Half of them once work has started, since that may take long on a busy machine; half at any moment.
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
            // Before it listens, it cannot handle a stop signal yet.
            #expect(
                try last.waits(120) {
                    try last.output.contains("listening") && tracks(fixture) == 8 && tasks(fixture) == 0
                }, "\(last.errors)")
            last.signal(SIGTERM)
            #expect(try last.wait().status == 0)
            #expect(try fixture.databases.contents() == truth)
            try fixture.databases.expectIntact()
        }
        #expect(hits >= Self.kills / 4, "only \(hits) of \(Self.kills) were killed while working")
    }

    @Test(
        "A pass next to a host that analyses, and a host next to a pass: each file is decoded once",
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
        // The pass reports all files, no matter which process analysed them.
        #expect(try TrackLine.all(run).count == 9)
        #expect(try running.waits(60) { try tasks(fixture) == 0 })
        #expect(try fixture.databases.incomplete().isEmpty)
        running.signal(SIGTERM)
        #expect(try running.wait().status == 0)
        let database = try Database(
            path: fixture.data + "/work.sqlite", options: .init(access: .readOnly))
        let ready: [String] = try database.values(
            """
            SELECT value ->> 'relative_path' FROM events, json_each(content, '$.tracks')
            WHERE content ->> 'type' = 'frames_ready'
            """)
        #expect(ready.count == 9 && Set(ready).count == 9, "\(ready)")
        try fixture.databases.expectIntact()
    }

    @Test("A file during whose analysis the host is repeatedly killed is deferred, never abandoned")
    func killedAgainAndAgain() throws {
        let fixture = try MusicFixture(pieces: 0..<3)
        try fixture.add(try Self.long.get(), as: "long.mp3")
        let freeKills = 5
        for kills in 0..<freeKills {
            let program = try host(fixture)
            #expect(
                try program.waits(60) {
                    try failures(fixture) == 1
                        || tasks(fixture, "relative_path = 'long.mp3' AND attempts > \(kills)") == 1
                })
            program.signal(SIGKILL)
            _ = try program.wait()
        }
        #expect(try failures(fixture) == 0)
        let next = try host(fixture)
        #expect(
            try next.waits(60) {
                try tasks(fixture, "relative_path = 'long.mp3' AND worker IS NULL AND not_before_ms > 0") == 1
                    && tracks(fixture) == 3
            })
        next.signal(SIGTERM)
        #expect(try next.wait().status == 0)
        #expect(try failures(fixture) == 0)
        // A pass does not wait for it, and says so.
        let pass = try fixture.pass()
        #expect(
            pass.status == 1 && pass.errors.contains("long.mp3: the program was killed 5 times"),
            "\(pass.errors)")
        #expect(try failures(fixture) == 0)
        // When it is due, it is analysed.
        _ = try sqlite3Tool(fixture.data + "/work.sqlite", "UPDATE tasks SET not_before_ms = 1")
        let later = try fixture.pass()
        #expect(later.status == 0, "\(later.errors)")
        #expect(try fixture.databases.incomplete().isEmpty && tracks(fixture) == 4)
    }

    @Test("A file whose analysis crashes the program twice is skipped for a day, and the others are analysed")
    func crashing() throws {
        let fixture = try MusicFixture(pieces: 0..<3)
        try fixture.add(CrashingDecoder.badFile(), as: "bad.mp3")
        let crashing = try CrashingDecoder.command()
        for _ in 0..<2 {
            let run = try fixture.pass("--jobs", "2", wrapper: crashing)
            #expect(run.status == 128 + Int(SIGSEGV), "\(run.errors)")
        }
        let third = try fixture.pass("--json", wrapper: crashing)
        #expect(third.status == 1 && third.errors.contains("bad.mp3: the analysis"), "\(third.errors)")
        #expect(try TrackLine.all(third).count == 4)
        #expect(try tracks(fixture) == 3 && fixture.databases.incomplete().isEmpty)
        #expect(
            try fixture.databases.count(
                "SELECT count(*) FROM analysis_failures WHERE error_code = 'killed_program'") == 1)
        // Skipped for a day; then tried once more on its own, and skipped for longer.
        #expect(try fixture.pass(wrapper: crashing).status == 1)
        func age(days: Int) throws {
            _ = try sqlite3Tool(
                fixture.databases.library,
                "UPDATE analysis_failures SET failed_at_ms = failed_at_ms - \(days) * 86400000 - 1000")
        }
        try age(days: 1)
        #expect(try fixture.pass(wrapper: crashing).status == 128 + Int(SIGSEGV))
        #expect(try fixture.pass(wrapper: crashing).status == 1)
        try age(days: 1)
        #expect(try fixture.pass(wrapper: crashing).status == 1)
        // A fixed decoder is tried after two days.
        try age(days: 1)
        let mended = try fixture.pass()
        #expect(mended.status == 0, "\(mended.errors)")
        #expect(try tracks(fixture) == 4 && failures(fixture) == 0)
    }

    @Test("A host picks up new, moved, changed and deleted files; a graceful stop requeues its current task")
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
