import Foundation
import TestSupport
import Testing

/// `stream-host serve` under way, which lets everybody in.
struct RunningHost {
    let program: RunningProgram
    let base: String

    init(_ fixture: MusicFixture, _ arguments: [String] = []) throws {
        let program = try RunningProgram(
            [
                BuiltProgram.path("stream-host"), "serve", "--music", fixture.music, "--data", fixture.data,
                "--port", "0", "--trust-lan",
            ] + arguments)
        try #require(
            program.waits(60) { program.output.contains("key") || !program.isRunning }, "\(program.errors)")
        self.program = program
        base = String(try #require(program.output.firstMatch(of: /http:\/\/[0-9.:]+/), "\(program.errors)").0)
    }

    /// Asks by curl.
    /// - Returns: what came.
    func curl(_ path: String, _ options: String...) throws -> String {
        try ProcessRun.run("curl", ["-sS", "-m", "120"] + options + [base + path]).text
    }

    /// Memory of its own, in kB: the largest that it has had.
    var peakKilobytes: Int { memory("VmHWM:") }

    /// Memory of its own at the moment, in kB.
    var ownKilobytes: Int { memory("RssAnon:") }

    private func memory(_ field: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } }
            ?? 0
    }
}
