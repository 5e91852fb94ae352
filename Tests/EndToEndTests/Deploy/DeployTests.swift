import Foundation
import TestSupport
import Testing

/// The files in `deploy/`, checked with the tools that use them.
@Suite("Deployment", .timeLimit(.minutes(30)))
struct DeployTests {
    private static let folder = "\(PythonTools.root)/deploy"
    private static let host = BuiltProgram.path("stream-host")

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
    }

    @Test("The image and compose file pass their linters")
    func linters() async throws {
        let dockerfile = try await ProcessRun.aside(
            try await PythonTools.program("hadolint"), ["\(Self.folder)/Dockerfile"], mustSucceed: false)
        #expect(dockerfile.status == 0, "\(dockerfile.text)")
        let compose = "\(Self.folder)/docker-compose.yml"
        let schema = try await ProcessRun.aside(
            try await PythonTools.program("check-jsonschema"),
            ["--builtin-schema", "vendor.compose-spec", compose], mustSucceed: false)
        #expect(schema.status == 0, "\(schema.text)")
        let rules = "{extends: default, rules: {line-length: {max: 120}, document-start: disable}}"
        let yaml = try await ProcessRun.aside(
            try await PythonTools.program("yamllint"), ["-d", rules, compose], mustSucceed: false)
        #expect(yaml.status == 0, "\(yaml.text)")
    }

    @Test("HAProxy accepts the example for several hosts")
    func loadBalancer() async throws {
        // Debian installs it where only root's PATH leads.
        let check = try await ProcessRun.aside(
            "env",
            ["PATH=/usr/sbin:/usr/bin:/bin", "haproxy", "-c", "-f", "\(Self.folder)/proxy/haproxy.cfg"],
            mustSucceed: false)
        #expect(check.status == 0, "\(check.text)")
    }

    @Test("Every variable in image, compose file and unit is a setting of the host")
    func variables() throws {
        let files = try ["Dockerfile", "docker-compose.yml", "systemd/stream-host.service"].map {
            try text($0)
        }
        let names = files.joined().matches(
            of: /\b((?:STREAM_HOST|SUBSONIC|NAVIDROME)_[A-Z_]+|MUSIC_DIR|DB_PATH)=/)
        #expect(names.count >= 10)
        let config = try ProcessRun.run(Self.host, ["config", "--json"]).text
        for name in names { #expect(config.contains("\"\(name.1)\""), "\(name.1)") }
    }

    @Test("The guide's table of settings matches the program")
    func settings() throws {
        let table = try ProcessRun.run(Self.host, ["config", "--markdown"]).text
        #expect(try text("README.md").contains(table.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test("The unit's example settings file is accepted")
    func settingsFile() throws {
        let run = try ProcessRun.run(
            Self.host, ["config", "--config", "\(Self.folder)/systemd/stream-host.conf"])
        #expect(run.errors.isEmpty && run.text.contains("systemd/stream-host.conf:"))
        // Including commented-out settings.
        let directory = try TemporaryDirectory()
        let all = try text("systemd/stream-host.conf").replacing(/(?m)^# (?=[a-z-]+ = )/, with: "")
        let path = try directory.write(Array(all.utf8), as: "all.conf")
        chmod(path, 0o600)
        let complete = try ProcessRun.run(Self.host, ["config", "--config", path])
        #expect(complete.errors.isEmpty && complete.text.contains(#/subsonic-password +\(set\)/#))
    }

    @Test("The unit is valid, and its service has few privileges")
    func unit() throws {
        let directory = try TemporaryDirectory()
        // The program is in the build folder, not where the guide installs it.
        let unit = try text("systemd/stream-host.service").replacing(
            "/usr/local/bin/stream-host", with: Self.host)
        let path = try directory.write(Array(unit.utf8), as: "stream-host.service")
        let verified = try ProcessRun.run("systemd-analyze", ["verify", path], mustSucceed: false)
        #expect(
            verified.status == 0 && verified.errors.isEmpty,
            "\(String(decoding: verified.errors, as: UTF8.self))")
        // The threshold is in tenths.
        let security = try ProcessRun.run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=20", "--no-pager", path],
            mustSucceed: false)
        #expect(security.status == 0, "\(security.text.suffix(200))")
    }

    @Test("The image installs every library that the programs load")
    func runtimePackages() throws {
        let listed = try text("runtime-packages.txt").split(separator: "\n").map(String.init)
        #expect(listed == listed.sorted())
        let closure = try ProcessRun.run(
            "apt-cache",
            [
                "depends", "--recurse", "--installed", "--no-recommends", "--no-suggests", "--no-conflicts",
                "--no-breaks",
                "--no-replaces", "--no-enhances",
            ] + listed)
        let packages = Set(closure.text.matches(of: /(?m)^([a-z0-9][a-z0-9.+-]+)/).map { String($0.1) })
        for name in listed { #expect(packages.contains(name), "\(name) is not a package") }
        for program in [Self.host, AnalyzeCLI.path] {
            let libraries = try ProcessRun.run("ldd", [program]).text.matches(of: /=> (\/[^ ]+)/).map {
                String($0.1)
            }
            #expect(libraries.count > 20)
            // Swift's own libraries are statically linked in the image's programs.
            for library in libraries where !library.contains("/swift/") {
                let file = URL(filePath: library).resolvingSymlinksInPath().path(percentEncoded: false)
                let owners = try ["", "/usr"].compactMap { prefix -> String? in
                    let name =
                        prefix.isEmpty
                        ? file : file.hasPrefix("/usr") ? String(file.dropFirst(4)) : prefix + file
                    let run = try ProcessRun.run("dpkg-query", ["-S", name], mustSucceed: false)
                    return run.status == 0 ? String(run.text.prefix { $0 != ":" }) : nil
                }
                #expect(owners.contains { packages.contains($0) }, "\(library) of \(owners)")
            }
        }
    }

    /// A block of commands in the guide.
    private func commands(_ name: String) throws -> String {
        let guide = try text("README.md")
        let start = try #require(guide.range(of: "```sh \(name)\n"))
        let end = try #require(guide.range(of: "```", range: start.upperBound..<guide.endIndex))
        return String(guide[start.upperBound..<end.lowerBound])
    }

    private func run(_ commands: String, _ data: String, _ backup: String) throws {
        let script = "set -eu\n" + commands
        try ProcessRun.run("env", ["DATA=\(data)", "BACKUP=\(backup)", "sh", "-c", script])
    }

    @Test("The guide's backup, made while host and pass are running, restores completely")
    func backup() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        #expect(try fixture.pass("--quiet").status == 0)
        let host = try RunningProgram(
            [Self.host, "serve", "--music", fixture.music, "--data", fixture.data, "--port", "0"])
        try #require(host.waits(60) { host.output.contains("API key") })
        let key = try ProcessRun.run(Self.host, ["key", "show", "--data", fixture.data]).text
        let directory = try TemporaryDirectory()
        let backup = directory.file("a backup"), other = directory.file("other")
        let pass = try AnalyzeCLI.start([fixture.music, "--data", fixture.data, "--force", "--quiet"])
        try run(commands("backup"), fixture.data, backup)
        #expect(try pass.wait().status == 0)
        host.signal(SIGTERM)
        #expect(try host.wait().status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: backup)
        #expect(names.contains("library.sqlite") && names.contains("host.json"))
        for name in names {
            let mode =
                try FileManager.default.attributesOfItem(atPath: "\(backup)/\(name)")[.posixPermissions]
                as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(name)")
        }
        // Into an empty folder, and over one that is worse than empty: a database next to another database's log.
        for folder in [other, fixture.data] {
            if folder == fixture.data {
                for name in ["library.sqlite", "library.sqlite-wal"] {
                    try Data(repeating: 7, count: 9999).write(to: URL(filePath: "\(folder)/\(name)"))
                }
            }
            try run(commands("restore"), folder, backup)
            #expect(try ProcessRun.run(Self.host, ["key", "show", "--data", folder]).text == key)
            let list = try AnalyzeCLI.run("list", "--data", folder)
            #expect(list.status == 0 && list.output.contains("2 tracks") || list.outputLines.count >= 2)
            #expect(try AnalyzeCLI.run(fixture.music, "--data", folder, "--quiet").status == 0)
            try Databases(folder: folder).expectIntact()
        }
    }
}
