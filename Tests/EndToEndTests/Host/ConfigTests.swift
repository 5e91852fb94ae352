import Foundation
import TestSupport
import Testing

/// The settings of both programs as users specify them.
@Suite("Settings of the programs", .timeLimit(.minutes(30)))
struct ConfigTests {
    private static let host = BuiltProgram.path("stream-host")

    /// Runs a program with environment variables.
    private func run(_ environment: [String: String], _ program: String, _ arguments: String...) throws
        -> ProgramRun
    {
        try RunningProgram(environment.map { "\($0)=\($1)" } + [program] + arguments).wait()
    }

    @Test("config shows effective settings and their sources, but no secrets", arguments: [[], ["--json"]])
    func config(form: [String]) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            Array("port = 1\nname = From the file\nmetrics-token = secret-in-the-file\n".utf8), as: "x.conf")
        chmod(file, 0o600)
        let run = try RunningProgram(
            [
                "SUBSONIC_TOKEN=secret-in-the-environment", "STREAM_HOST_PORT=2", "MUSIC_DIR=/music",
                Self.host, "config",
            ]
                + form + ["--config", file, "--host", "::1", "--subsonic-password", "secret-on-the-line"]
        ).wait()
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(!run.output.contains("secret-"))
        if form.isEmpty {
            for line in [
                #/port +2 +STREAM_HOST_PORT/#, #/host +::1 +--host/#, #/music +\/music +MUSIC_DIR/#,
                #/subsonic-token +\(set\) +SUBSONIC_TOKEN/#, #/navidrome-delay +5 +default/#,
            ] { #expect(run.output.contains(line)) }
            #expect(run.output.contains("From the file") && run.output.contains("\(file):2"))
        } else {
            let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            let rows = try #require(document?["settings"] as? [[String: Any]])
            let port = try #require(rows.first { $0["name"] as? String == "port" })
            #expect(port["value"] as? String == "2" && port["source"] as? String == "environment")
            #expect(port["place"] as? String == "STREAM_HOST_PORT" && document?["file"] as? String == file)
        }
    }

    @Test("Unknown settings and invalid values prevent startup, and are reported with file and line")
    func wrong() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Array("port = many\nmusik = /music\n".utf8), as: "stream-host.conf")
        for program in [Self.host, AnalyzeCLI.path] {
            let arguments = program == Self.host ? ["serve", "--music", "/"] : ["/"]
            let run = try RunningProgram([program] + arguments + ["--data", directory.path]).wait()
            #expect(run.status == 2)
            let path = directory.path.hasSuffix("/") ? directory.path : directory.path + "/"
            #expect(
                run.errors.contains(
                    "\(path)stream-host.conf:1: port must be a whole number from 0 to 65535, not many"))
            #expect(run.errors.contains("\(path)stream-host.conf:2: unknown setting musik"))
        }
        try FileManager.default.removeItem(atPath: file)
        let bad = try run(
            ["NAVIDROME_URL": "http://h", "STREAM_HOST_DATA": directory.path], Self.host, "serve", "--music",
            "/")
        #expect(bad.status == 2 && bad.errors.contains("subsonic-user"))
    }

    @Test("With NavidromePlayer's companion variables only: a pass, a host, its health, and notifications")
    func seedNames() async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let frames = fixture.data + "-vis"
        let standIn = try FakeSubsonicServer("ok")
        let salt = "pepper-and-salt"
        let token = String(try ProcessRun.run("md5sum", [], input: "sesame" + salt).text.prefix(32))
        let environment = [
            "MUSIC_DIR": fixture.music, "DB_PATH": fixture.data + "/smart_dj.db", "VIS_CACHE_DIR": frames,
            "NAVIDROME_URL": standIn.url, "SUBSONIC_USER": "admin", "SUBSONIC_TOKEN": token,
            "SUBSONIC_SALT": salt,
        ]
        let pass = try run(environment, AnalyzeCLI.path)
        #expect(pass.status == 0, "\(pass.errors)")
        #expect(FileManager.default.fileExists(atPath: fixture.data + "/library.sqlite"))
        #expect(FileManager.default.fileExists(atPath: frames + "/visualizer.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: fixture.data + "/visualizer.sqlite"))
        #expect(try standIn.diary().map(\.method) == ["startScan.view"])
        // Nothing new: no notification.
        #expect(try run(environment, AnalyzeCLI.path, "--quiet").status == 0)
        #expect(try standIn.diary().count == 1)
        let variables = environment.map { "\($0)=\($1)" }
        let host = try RunningProgram(variables + [Self.host, "serve", "--port", "0"])
        try #require(host.waits(60) { host.output.contains(/http:\/\/127\.0\.0\.1:[0-9]+/) })
        let address = try #require(host.output.firstMatch(of: /127\.0\.0\.1:([0-9]+)/))
        let health = try run(["STREAM_HOST_PORT": String(address.1)], Self.host, "health")
        #expect(health.status == 0 && health.output == "ok\n")
        let key = try run(environment, Self.host, "key", "show").output.trimmingCharacters(
            in: .whitespacesAndNewlines)
        let asked = try await ProcessRun.aside(
            "curl",
            ["-sSf", "-X", "POST", "-H", "Authorization: Bearer \(key)", "http://\(address.0)/rescan"])
        #expect(asked.text.contains("\"state\""))
        #expect(host.waits(60) { (try? standIn.diary().filter { $0.method == "startScan.view" }.count) == 2 })
        host.signal(SIGTERM)
        let ended = try host.wait()
        #expect(ended.status == 0)
        for entry in try standIn.diary() {
            #expect(entry.right && entry.wrong.isEmpty && entry.user == "admin")
        }
        for text in [ended.errors, ended.output, pass.errors] {
            #expect(!text.contains(token) && !text.contains(salt))
        }
        let gone = try run(["STREAM_HOST_PORT": String(address.1)], Self.host, "health")
        #expect(gone.status == 1 && gone.errors.contains(address.0))
    }

    @Test("If Navidrome rejects the request, a pass only prints a line")
    func refused() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let standIn = try FakeSubsonicServer("ok", password: "another")
        let pass = try run(
            ["NAVIDROME_URL": standIn.url, "SUBSONIC_USER": "admin", "SUBSONIC_PASSWORD": "wr0ng-password"],
            AnalyzeCLI.path, fixture.music, "--data", fixture.data)
        #expect(pass.status == 0)
        #expect(pass.errors.contains("Navidrome refuses (error 40): Wrong username or password"))
        #expect(!pass.errors.contains("wr0ng-password"))
    }
}
