import Foundation
import TestSupport
import Testing

@testable import CommandLineProgram

@Suite("Settings: precedence")
struct SettingsPrecedenceTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func settings(
        _ flags: [String: String] = [:], _ environment: [String: String] = [:], file: String? = nil,
        program: SettingProgram = .host
    ) throws -> EffectiveSettings {
        var given: [String: (text: String, word: String)] = [:]
        for (name, text) in flags { given[name] = (text, "--\(name)") }
        if let file {
            let path = try directory.write(Array(file.utf8), as: "some.conf")
            chmod(path, 0o600)
            given["config"] = (path, "--config")
        }
        return try EffectiveSettings(program: program, commandLine: given, environment: environment)
    }

    @Test("Precedence is command line, environment, file, default")
    func order() throws {
        let file = "port = 3\nname = file\n"
        let environment = [
            "STREAM_HOST_PORT": "2", "STREAM_HOST_NAME": "environment", "STREAM_HOST_QUIET": "yes",
        ]
        let all = try settings(["port": "1"], environment, file: file)
        #expect(all[\.port] == 1 && all.origin(\.port) == .commandLine("--port"))
        #expect(all[\.name] == "environment" && all.origin(\.name) == .environment("STREAM_HOST_NAME"))
        #expect(all[\.quiet])
        let filed = try settings(file: file)
        #expect(filed[\.port] == 3 && filed[\.name] == "file")
        #expect(filed.origin(\.name) == .file(directory.file("some.conf"), line: 2))
        let none = try settings()
        #expect(none[\.port] == 8420 && none[\.name] == nil && none.origin(\.port) == .defaultValue)
    }

    @Test("Variables of NavidromePlayer's companion are read, with lower precedence than ours")
    func seeds() throws {
        let environment = [
            "MUSIC_DIR": "/music", "DB_PATH": "/app/data/smart_dj.db", "VIS_CACHE_DIR": "/app/data/vis_cache",
            "NAVIDROME_URL": "http://navidrome:4533/navidrome", "SUBSONIC_USER": "u", "SUBSONIC_TOKEN": "t",
            "SUBSONIC_SALT": "s",
        ]
        for program in [SettingProgram.host, .analyzer] {
            let seeds = try settings([:], environment, program: program)
            #expect(seeds[\.music] == "/music" && seeds[\.data] == "/app/data")
            #expect(seeds[\.frames] == "/app/data/vis_cache")
            #expect(seeds[\.navidromeURL] == "http://navidrome:4533/navidrome")
            #expect(
                seeds[\.subsonicUser] == "u" && seeds[\.subsonicToken] == "t" && seeds[\.subsonicSalt] == "s")
            #expect(seeds.origin(\.data) == .environment("DB_PATH"))
        }
        let both = try settings([:], environment.merging(["STREAM_HOST_DATA": "/own"]) { $1 })
        #expect(both[\.data] == "/own")
    }

    @Test(
        "A database path sets the folder",
        arguments: [
            ("smart_dj.db", "."), ("/smart_dj.db", "/"), ("a/b.db", "a"), ("/app/data/x.db", "/app/data"),
        ])
    func databasePath(path: String, folder: String) throws {
        #expect(try settings([:], ["DB_PATH": path])[\.data] == folder)
    }

    @Test("Every setting can be set by flag, variable and file, and is shown with its source")
    func everyRow() throws {
        for row in SettingsTable.rows where row.name != "config" {
            let text =
                switch (row.name, row.placeholder) {
                case ("jukebox-rate", _): "48000"
                case ("jukebox-target", _): "-16"
                case (_, "N"), (_, "SECONDS"): "7"
                case (_, nil): "yes"
                case (_, "DIR"), (_, "FILE"): "/somewhere"
                default: "some-text-of-some-length"
                }
            let variable = try #require(row.variables.first).name
            #expect(variable == "STREAM_HOST_" + row.name.uppercased().replacing("-", with: "_"))
            let program = try #require(row.programs.first)
            let flagged = try settings([row.name: text], program: program)
            let varied = try settings([:], [variable: text], program: program)
            let filed = try settings([:], file: "\(row.name) = \(text)", program: program)
            for (settings, place) in [
                (flagged, "--\(row.name)"), (varied, variable), (filed, "\(directory.file("some.conf")):1"),
            ] {
                let shown = try #require(SettingsReport(settings).rows.first { $0.name == row.name })
                #expect(shown.place == place)
                #expect(shown.value == (row.isSecret ? "(set)" : text))
                if row.isSecret {
                    #expect(!SettingsReport(settings).text.contains(text))
                    #expect(try !SettingsReport(settings).json().contains(text))
                }
            }
            // The help of each program that reads the setting lists it.
            for program in row.programs {
                #expect(SettingsHelp.options(of: program).contains("  --\(row.name)"))
                #expect(SettingsHelp.markdown(of: program).contains("| `\(row.name)` |"))
            }
        }
        #expect(SettingsTable.rows.count == Mirror(reflecting: SettingsTable()).children.count)
        #expect(Set(SettingsTable.rows.map(\.name)).count == SettingsTable.rows.count)
    }

    @Test("The file in the data folder is the default; paths in a file are relative to it")
    func dataFolder() throws {
        let path = try directory.write(Array("music = Music\nframes=/else\n".utf8), as: "stream-host.conf")
        chmod(path, 0o600)
        let found = try settings(["data": directory.path])
        let folder = directory.path.hasSuffix("/") ? directory.path : directory.path + "/"
        #expect(found[\.music] == folder + "Music" && found[\.frames] == "/else")
        #expect(try settings(["data": directory.file("other")])[\.music] == nil)
        // A setting that determines the file cannot be set in it, unless the file was given explicitly.
        try directory.write(Array("data = /x\n".utf8), as: "stream-host.conf")
        #expect(throws: SettingsError.self) { try settings(["data": directory.path]) }
        #expect(try settings(file: "data = /x\n")[\.data] == "/x")
    }

    @Test("Empty variables are ignored; unknown ones with our prefix cause a warning")
    func variables() throws {
        let found = try settings([:], ["STREAM_HOST_PORT": "", "STREAM_HOST_PROT": "1", "PORT": "2"])
        #expect(found[\.port] == 8420)
        #expect(found.warnings == ["unknown setting in the environment: STREAM_HOST_PROT"])
    }

    @Test("A file with a secret that others can read causes a warning")
    func openSecret() throws {
        let path = try directory.write(Array("subsonic-token = x\n".utf8), as: "open.conf")
        for (mode, count) in [(mode_t(0o644), 1), (0o640, 0), (0o600, 0)] {
            chmod(path, mode)
            let found = try settings(["config": path])
            #expect(found.warnings.count == count)
        }
    }
}
