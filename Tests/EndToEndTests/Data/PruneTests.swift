import Foundation
import SQLiteDatabase
import TestSupport
import Testing

/// `analyze-cli prune`, and automatic pruning by the host.
@Suite("Pruning", .timeLimit(.minutes(30)))
struct PruneTests {
    private func count(_ fixture: MusicFixture, _ table: String) throws -> Int {
        try fixture.databases.count("SELECT count(*) FROM \(table)")
    }

    private func frames(_ fixture: MusicFixture) throws -> Int {
        try Database(path: fixture.databases.visualizer, options: .init(access: .readOnly))
            .scalar("SELECT count(*) FROM frames") ?? -1
    }

    private func prune(_ fixture: MusicFixture, _ options: String...) throws -> ProgramRun {
        try AnalyzeCLI.start(["prune", "--data", fixture.data] + options).wait()
    }

    @Test("Tracks that have long been missing are listed, and removed with --apply; stars are kept")
    func command() throws {
        let fixture = try MusicFixture(pieces: 0..<4)
        #expect(try fixture.pass().status == 0)
        let host = try RunningHost(fixture, ["--no-announce"])
        let starred = try #require(try fixture.databases.trackID("1.mp3"))
        let id = try #require(try fixture.databases.trackID("2.mp3"))
        let star = try host.curl(
            "/listening/tracks/\(starred)", "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
            #"{"is_starred": true}"#)
        let list = try host.curl(
            "/api/playlists", "-H", "Content-Type: application/json", "-d",
            #"{"name": "kept", "track_ids": [\#(id)]}"#)
        #expect(try count(fixture, "playlist_entries") == 1, "\(list)")
        let listened = try ProcessRun.run(
            "sqlite3", [fixture.data + "/listening.sqlite", "SELECT count(*) FROM listened"]
        ).text
        #expect(listened == "1\n", "\(star)")
        host.program.signal(SIGTERM)
        _ = try host.program.wait()
        for number in [1, 2, 3] { try fixture.remove("\(number).mp3") }
        #expect(try fixture.pass().status == 0)
        // 1 and 2 for 100 days, 3 since just now.
        try ProcessRun.run(
            "sqlite3",
            [
                fixture.databases.library,
                """
                UPDATE tracks SET unavailable_since_ms = unavailable_since_ms - 8640000000
                WHERE relative_path IN ('1.mp3', '2.mp3')
                """,
            ])
        #expect(try prune(fixture, "--older-than", "101d").output.contains("nothing to remove"))
        let trial = try prune(fixture)
        #expect(trial.status == 0 && trial.output.contains("--apply"), "\(trial.errors)")
        let lines = trial.outputLines.filter { $0.hasPrefix("missing since") }
        #expect(lines.count == 1 && lines[0].hasSuffix("1.mp3"), "\(trial.output)")
        #expect(
            trial.output.contains("would remove 1 track, 1 analysis, spectra of 1 recording"),
            "\(trial.output)")
        #expect(try count(fixture, "tracks") == 4 && count(fixture, "analyses") == 4 && frames(fixture) == 4)

        let run = try prune(fixture, "--apply")
        #expect(
            run.status == 0 && run.output.contains("removed 1 track, 1 analysis"),
            "\(run.output)\(run.errors)")
        #expect(try count(fixture, "tracks") == 3 && count(fixture, "analyses") == 3 && frames(fixture) == 3)
        #expect(try count(fixture, "playlist_entries") == 1)
        #expect(
            try ProcessRun.run(
                "sqlite3", [fixture.data + "/listening.sqlite", "SELECT count(*) FROM listened"]
            ).text == listened)
        try fixture.databases.expectIntact()
        // A restored file is a new track, with the star of the old one.
        try fixture.add(MadeMusic.pieces[1], as: "1.mp3")
        #expect(try fixture.pass().status == 0)
        let again = try RunningHost(fixture, ["--no-announce"])
        let new = try #require(try fixture.databases.trackID("1.mp3"))
        #expect(new != starred)
        #expect(try again.curl("/listening/tracks/\(new)").contains("\"is_starred\":true"))
        again.program.signal(SIGTERM)
        _ = try again.program.wait()
    }

    @Test(
        "Ambiguous options are rejected, and nothing is created",
        arguments: [["--older-than", "soon"], ["--older-than", "-1"], ["extra"], ["--older-than", "90d"]])
    func refused(options: [String]) throws {
        let fixture = try MusicFixture()
        let run = try AnalyzeCLI.start(["prune", "--data", fixture.data] + options).wait()
        #expect(run.status == 2 && !run.errors.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: fixture.data))
    }
}
