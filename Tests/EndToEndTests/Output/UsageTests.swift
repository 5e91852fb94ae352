import Foundation
import TestSupport
import Testing

/// Incorrect command lines, and the help pages.
@Suite("Usage")
struct UsageTests {
    @Test(
        "An incorrect command line ends with 2, states the problem and refers to the help",
        arguments: [
            (["--bogus", "music"], "unknown option --bogus"), (["a", "b"], "unexpected argument 'b'"),
            (["music", "--jobs"], "option --jobs needs a value"),
            (["music", "--jobs", "0"], "--jobs must be a whole number from 1"),
            (["music", "--jobs", "many"], "not many"),
            (["music", "--quiet=yes"], "option --quiet has no value"),
            (["music", "--dj", "--vis"], "exclude each other"),
            (["music", "--loudness", "loud"], "built-in, reference"),
            (["music", "--silence-threshold", "5"], "-120"), (["show"], "give a track"),
            (["show", "--width", "x", "a"], "whole number"),
            (["export", "--format", "xml"], "json, jsonl, csv, liquidsapx"),
            (["export", "all"], "unexpected argument 'all'"),
            (["list", "--json"], "unknown option --json"),
        ])
    func wrong(arguments: [String], words: String) throws {
        let run = try AnalyzeCLI.start(arguments).wait()
        #expect(run.status == 2)
        #expect(run.errors.contains(words.replacing("liquidsapx", with: "liquidsoap")), "\(run.errors)")
        #expect(run.errors.contains("analyze-cli --help"))
        #expect(run.output.isEmpty)
    }

    @Test("Without arguments it prints the usage, and ends with 2")
    func none() throws {
        let run = try AnalyzeCLI.run()
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("usage: analyze-cli MUSIC_DIR"))
    }

    @Test(
        "Every option of a command is on its help page",
        arguments: [
            (
                ["--help"],
                [
                    "MUSIC_DIR", "--data", "--jobs", "--force", "--dj", "--vis", "--watch", "--json",
                    "--quiet", "--loudness", "--silence-threshold", "--silence-minimum", "Exit status",
                ]
            ),
            (["show", "--help"], ["TRACK", "--data", "--png", "--json", "--width", "--plain"]),
            (["help", "list"], ["WORDS", "--data"]),
            (["similar", "--help"], ["TRACK", "--count", "--other-artists", "--json", "--data"]),
            (
                ["export", "-h"],
                ["--format", "jsonl", "csv", "liquidsoap", "--output", "--data", "--music", "--skip-blank"]
            ),
        ])
    func help(arguments: [String], words: [String]) throws {
        let run = try AnalyzeCLI.start(arguments).wait()
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        for word in words { #expect(run.output.contains(word), "\(word)") }
        #expect(run.outputLines.allSatisfy { $0.count <= 120 })
    }

    @Test(
        "Read-only commands create nothing, and say what to do first",
        arguments: ["list", "export", "show"])
    func nothingThere(command: String) throws {
        let directory = try TemporaryDirectory()
        let arguments = [command, "--data", directory.file("nowhere")] + (command == "show" ? ["a"] : [])
        let run = try AnalyzeCLI.start(arguments, directory: directory.file("")).wait()
        #expect(run.status == 2)
        #expect(run.errors.contains("nowhere") && run.errors.contains("analyse a music folder first"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("")).isEmpty)
    }

    @Test("Damaged, foreign or too new databases are named and not modified")
    func foreignDatabases() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        #expect(try fixture.pass().status == 0)
        func expectRefusal(_ words: String) throws {
            let before = try Data(contentsOf: URL(filePath: fixture.databases.library))
            let run = try fixture.pass()
            #expect(run.status == 2)
            #expect(run.errors.contains("library.sqlite") && run.errors.contains(words), "\(run.errors)")
            #expect(try Data(contentsOf: URL(filePath: fixture.databases.library)) == before)
        }
        try ProcessRun.run("sqlite3", [fixture.databases.library, "PRAGMA user_version = 999"])
        try expectRefusal("newer")
        try Data("no database, but a long enough text to be taken for one".utf8).write(
            to: URL(filePath: fixture.databases.library))
        try expectRefusal("not a database")
    }
}
