import Foundation
import TestSupport
import Testing

/// `stream-host`, run like a user runs it.
@Suite("stream-host", .timeLimit(.minutes(30)))
struct ServeTests {
    private static let program = BuiltProgram.path("stream-host")

    /// A running host.
    private struct Running {
        let program: RunningProgram
        let base: String
        let key: String

        init(_ fixture: MusicFixture, _ arguments: String...) throws {
            program = try RunningProgram(
                [
                    ServeTests.program, "serve", "--music", fixture.music, "--data", fixture.data, "--port",
                    "0",
                ]
                    + arguments)
            let running = program
            try #require(
                running.waits(60) { running.output.contains("\n") && running.output.contains("key") })
            base = String(try #require(running.output.firstMatch(of: /http:\/\/[0-9.:]+/)).0)
            key = try ProcessRun.run(ServeTests.program, ["key", "show", "--data", fixture.data]).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        var credentials: [String] { ["-H", "Authorization: Bearer \(key)"] }
    }

    @Test("Asked to stop, it completes a download in progress", arguments: [SIGTERM, SIGINT])
    func ends(signal: Int32) async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let bytes = try MadeMusic.long(megabytes: 6)
        try fixture.add(bytes, as: "long.mp3")
        _ = try fixture.pass("--quiet")
        let host = try Running(fixture)
        let list = try await ProcessRun.aside("curl", ["-sSf"] + host.credentials + ["\(host.base)/health"])
        #expect(list.text.contains("ok"))
        let id = try #require(try fixture.databases.trackID("long.mp3"))
        let folder = try TemporaryDirectory()
        // About three seconds.
        let arguments =
            ["-sSf", "--limit-rate", "2M", "-o", folder.file("got")] + host.credentials
            + ["\(host.base)/api/files/\(id)/stream"]
        async let download = ProcessRun.aside("curl", arguments)
        // Sleeping, not blocking: the download needs the thread.
        try await until { ((try? folder.read("got").count) ?? 0) > 0 }
        host.program.signal(signal)
        _ = try await download
        #expect(try folder.read("got") == bytes)
        let run = try host.program.wait()
        #expect(run.status == 0)
        #expect(!run.errors.contains(host.key) && !run.output.contains(host.key))
        let late = try await ProcessRun.aside("curl", ["-sS", "\(host.base)/health"], mustSucceed: false)
        #expect(late.status == 7)
    }

    @Test("Each log line starts with its time, and a readable TLS key causes a warning")
    func timesOfLog() async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let folder = try TemporaryDirectory()
        let (certificate, key) = (folder.file("certificate.pem"), folder.file("key.pem"))
        try await ProcessRun.aside(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days",
                "2", "-subj", "/CN=localhost", "-out", certificate, "-keyout", key,
            ])
        for (mode, isWarned) in [(0o644, true), (0o640, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
            let program = try RunningProgram([
                Self.program, "serve", "--music", fixture.music, "--data", fixture.data, "--port", "0",
                "--certificate", certificate, "--key", key,
            ])
            try #require(program.waits(60) { program.output.contains("key") })
            let base = String(try #require(program.output.firstMatch(of: /https:\/\/[0-9.:]+/)).0)
            let before = Date()
            try await ProcessRun.aside("curl", ["-sSk", "\(base)/health?token=hidden"])
            try #require(program.waits(60) { program.errors.contains("/health") })
            try #require(program.waits(60) { program.errors.contains(" scan: ") })
            program.signal(SIGTERM)
            let run = try program.wait()
            #expect(run.errors.contains("warning") == isWarned && run.errors.contains(key) == isWarned)
            #expect(!run.errors.contains("hidden"))
            let line = try #require(run.errors.split(separator: "\n").first { $0.contains("/health") })
            let match = try #require(
                line.firstMatch(
                    of: /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) [0-9a-f]+ 127\.0\.0\.1 GET \/health/))
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let time = try Date(String(match.1), strategy: format)
            #expect(time > before.addingTimeInterval(-1) && time < Date().addingTimeInterval(1))
        }
    }

    @Test("Asked to stop during startup, it stops cleanly")
    func endsEarly() throws {
        for _ in 0..<5 {
            let fixture = try MusicFixture(pieces: 0..<1)
            let host = try RunningProgram(
                [Self.program, "serve", "--music", fixture.music, "--data", fixture.data, "--port", "0"])
            // The key is created before it listens.
            while !FileManager.default.fileExists(atPath: "\(fixture.data)/host.json") && host.isRunning {
                usleep(1000)
            }
            host.signal(SIGTERM)
            let run = try host.wait()
            #expect(run.status == 0, "\(run.errors)")
            try fixture.databases.expectIntact()
        }
    }

    @Test("Startup errors are reported")
    func refusals() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        _ = try fixture.pass("--quiet")
        let first = try Running(fixture)
        // The first host has its own data folder.
        let data = fixture.data + "-2"
        let port = String(try #require(first.base.split(separator: ":").last))
        for (arguments, words) in [
            (["serve", "--music", "/no/such/folder", "--data", data], "/no/such/folder"),
            (["serve", "--music", fixture.music, "--data", data, "--port", port], port),
            (["serve", "--music", fixture.music, "--data", data, "--port", "123456"], "--port"),
            (
                ["serve", "--music", fixture.music, "--data", data, "--host", "no.address"],
                "no.address"
            ),
            (
                [
                    "serve", "--music", fixture.music, "--data", data, "--port", "0", "--certificate",
                    "/no.pem", "--key", "/no.key",
                ], "/no.pem"
            ),
            (["serve"], "--music"), (["dance"], "dance"),
        ] {
            let run = try RunningProgram([Self.program] + arguments).wait()
            #expect(run.status != 0 && run.status < 128, "\(arguments)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
        }
        first.program.signal(SIGTERM)
        #expect(try first.program.wait().status == 0)
    }

    @Test("Each request is logged with its number and without secrets")
    func log() async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        _ = try fixture.pass("--quiet")
        let host = try Running(fixture)
        let id = try #require(try fixture.databases.trackID("0.mp3"))
        let answer = try await ProcessRun.aside(
            "curl",
            ["-sS", "-D", "-", "-X", "POST"] + host.credentials
                + ["\(host.base)/auth/token?track_id=\(id)"])
        let token = String(try #require(answer.text.firstMatch(of: /"token":"([^"]+)"/)).1)
        let number = String(try #require(answer.text.firstMatch(of: /X-Request-Id: (\S+)/)).1)
        try await ProcessRun.aside(
            "curl", ["-sSf", "-o", "/dev/null", "\(host.base)/tracks/\(id)/stream.m3u8?token=\(token)"])
        try await until { host.program.errors.contains("stream.m3u8") }
        host.program.signal(SIGTERM)
        let run = try host.program.wait()
        #expect(run.errors.contains(number) && run.errors.contains("/auth/token"))
        #expect(!run.errors.contains(token) && !run.errors.contains(host.key))
    }
}
