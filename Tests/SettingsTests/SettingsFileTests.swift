import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite("Settings: files, and what is wrong")
struct SettingsFileTests {
    private func entries(_ text: String) throws -> [String] {
        try SettingsFile.entries(text, path: "f").map { "\($0.line) \($0.name)=\($0.value)|" }
    }

    @Test("Lines are name and value; comments, blanks, quotes, ends of lines of other systems")
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
            _ = try SettingsInForce(
                program: .host, commandLine: ["config": (path, "--config")], environment: environment)
            return []
        } catch {
            return error.problems.map { $0.replacing(path, with: "F") }
        }
    }

    @Test("What is wrong is named with file and line, all of it at once, and no secret with it")
    func wrong() throws {
        #expect(
            try problems(
                "prot = 1\nport = many\n\ntrust-lan = maybe\nname =\nsubsonic-token = a\u{7}b\nnavidrome-delay = nan\n"
            )
                == [
                    "F:1: there is no setting prot",
                    "F:2: port takes a whole number from 0 to 65535, not many",
                    "F:4: trust-lan takes yes or no, not maybe", "F:5: name takes a text, not an empty one",
                    "F:6: subsonic-token is no value that this setting takes",
                    "F:7: navidrome-delay takes a number from 0.0 to 3600.0, not nan",
                ])
        #expect(try problems("port = 1\nport = 2") == ["F:2: port was set in line 1 already"])
        #expect(try problems("port 1") == ["F:1: expected `name = value`"])
        #expect(try problems("config = x")[0].hasPrefix("F:1: config is what this file was found by"))
        // A variable that holds no value is told, even where the file's would have been taken.
        #expect(
            try problems("port = 1", environment: ["STREAM_HOST_PORT": "65536"])
                == ["STREAM_HOST_PORT: port takes a whole number from 0 to 65535, not 65536"])
    }

    @Test("What is no file of settings is refused, a pipe without waiting for a writer")
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
