import Foundation
import TestSupport
import Testing

/// The version, which all programs, the API and the release scripts take from one place.
@Suite("Version", .timeLimit(.minutes(30)))
struct VersionTests {
    /// Returns the version that `scripts/version` reads from the sources.
    private static func number() throws -> String {
        try ProcessRun.run("\(PythonTools.root)/scripts/version", []).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns what a program prints for `--version`, without its name.
    private static func version(of program: String) throws -> String {
        let run = try RunningProgram([BuiltProgram.path(program), "--version"]).wait()
        #expect(run.status == 0 && run.errors.isEmpty && run.output.hasPrefix("\(program) "))
        return run.output.dropFirst(program.count + 1).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("All programs report the version in the sources, with a commit or without")
    func programs() throws {
        let number = try Self.number()
        let versions = Set(try ["analyze-cli", "stream-host", "stream-player"].map(Self.version))
        #expect(versions.count == 1)
        let version = try #require(versions.first)
        #expect(
            version.wholeMatch(of: /([0-9]+\.[0-9]+\.[0-9]+)( \([0-9a-f]{7,}(\+dirty)?\))?/)?.1 == number[...]
        )
    }

    @Test("/auth, /health and /metrics report the version of the program")
    func host() throws {
        let host = try RunningHost(try MusicFixture(pieces: 0..<1))
        let expected = "stream-host \(try Self.version(of: "stream-host"))"
        for path in ["/auth", "/health"] {
            let answer = try JSONSerialization.jsonObject(with: Data(try host.curl(path).utf8))
            #expect((answer as? [String: Any])?["version"] as? String == expected, "\(path)")
        }
        #expect(try host.curl("/metrics").contains("version=\"\(expected)\""))
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
    }
}
