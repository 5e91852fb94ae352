import Foundation
import TestSupport
import Testing

@testable import CommandLineProgram

@Suite("Settings: files and errors")
struct SettingsFileTests {
    private func entries(_ text: String) throws -> [String] {
        try SettingsFile.entries(text, path: "f").map { "\($0.line) \($0.name)=\($0.value)|" }
    }

    @Test("Names and values, comments, whitespace, quotes and line endings are parsed")
    func forms() throws {
        #expect(
            try entries("a=1\n\n  # no\n b = two words \nc = \" x \"\n") == [
                "1 a=1|", "4 b=two words|", "5 c= x |",
            ])
        #expect(try entries("\u{FEFF}a = 1\r\nb = x=y#z\r\n") == ["1 a=1|", "2 b=x=y#z|"])
        #expect(try entries("").isEmpty && entries("a =").first == "1 a=|")
    }

    private func problems(_ text: String, environment: [String: String] = [:]) throws -> [String] {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array(text.utf8), as: "f.conf")
        do {
            _ = try EffectiveSettings(
                program: .host, commandLine: ["config": (path, "--config")], environment: environment)
            return []
        } catch {
            return error.problems.map { $0.replacing(path, with: "F") }
        }
    }

    @Test("All errors are reported at once with file and line, without secrets")
    func wrong() throws {
        #expect(
            try problems(
                "prot = 1\nport = many\n\ntrust-lan = maybe\nname =\nsubsonic-token = a\u{7}b\nnavidrome-delay = nan\n"
            )
                == [
                    "F:1: unknown setting prot",
                    "F:2: port must be a whole number from 0 to 65535, not many",
                    "F:4: trust-lan must be yes or no, not maybe", "F:5: name must not be empty",
                    "F:6: subsonic-token has an invalid value",
                    "F:7: navidrome-delay must be from 0.0 to 3600.0, not nan",
                ])
        #expect(try problems("port = 1\nport = 2") == ["F:2: port is already set in line 1"])
        #expect(try problems("port 1") == ["F:1: expected `name = value`"])
        #expect(try problems("config = x")[0].hasPrefix("F:1: config selects the settings file"))
        // An invalid environment variable is an error, even if the file has a valid value.
        #expect(
            try problems("port = 1", environment: ["STREAM_HOST_PORT": "65536"])
                == ["STREAM_HOST_PORT: port must be a whole number from 0 to 65535, not 65536"])
    }

    @Test("Files that are not settings files are rejected; a pipe does not block")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        mkfifo(directory.file("pipe"), 0o600)
        try directory.write([0xFF, 0xFE, 0x00], as: "binary")
        try directory.write([UInt8](repeating: 0x23, count: 2 << 20), as: "large")
        for name in ["pipe", "binary", "large", "missing", "."] {
            #expect(throws: SettingsError.self, "\(name)") { try SettingsFile(path: directory.file(name)) }
        }
    }
}
