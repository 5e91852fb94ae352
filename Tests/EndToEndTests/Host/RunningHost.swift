import Foundation
import TestSupport
import Testing

/// A running `stream-host serve` that accepts connections without a key.
struct RunningHost {
    let program: RunningProgram
    let base: String

    /// - Parameter wrapper: a command that runs the host, in a separate namespace for instance.
    init(_ fixture: MusicFixture, _ arguments: [String] = [], wrapper: [String] = []) throws {
        try self.init(music: fixture.music, data: fixture.data, arguments, wrapper: wrapper)
    }

    init(music: String, data: String, _ arguments: [String] = [], wrapper: [String] = []) throws {
        let program = try RunningProgram(
            wrapper + [
                BuiltProgram.path("stream-host"), "serve", "--music", music, "--data", data,
                "--port", "0", "--trust-lan",
            ] + arguments)
        try #require(
            program.waits(60) { program.output.contains("key") || !program.isRunning }, "\(program.errors)")
        self.program = program
        base = String(try #require(program.output.firstMatch(of: /http:\/\/[0-9.:]+/), "\(program.errors)").0)
    }

    /// Sends a request with curl.
    /// - Returns: the response body.
    func curl(_ path: String, _ options: String...) throws -> String {
        try ProcessRun.run("curl", ["-sS", "-m", "120"] + options + [base + path]).text
    }

    /// Peak memory in kB.
    var peakKilobytes: Int { memory("VmHWM:") }

    /// Current private memory in kB.
    var ownKilobytes: Int { memory("RssAnon:") }

    private func memory(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } }
            ?? 0
    }
}
