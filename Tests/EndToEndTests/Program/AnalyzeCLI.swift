import Foundation
import TestSupport

/// The location of built programs: next to the test bundle.
enum BuiltProgram {
    /// Returns the path of a program.
    static func path(_ name: String) -> String {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = bundle.appending(path: name).path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // If the tests are loaded by a toolchain helper, the bundle is on its command line.
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        return URL(filePath: named).deletingLastPathComponent().appending(path: name)
            .path(percentEncoded: false)
    }
}

/// `analyze-cli`, run like a user runs it.
enum AnalyzeCLI {
    static let path = BuiltProgram.path("analyze-cli")

    /// Runs it to completion.
    /// - Parameters:
    ///   - arguments: its arguments.
    ///   - wrapper: a command that runs the given program, such as `prlimit`.
    static func run(
        _ arguments: String..., wrapper: [String] = [], directory: String? = nil
    ) throws -> ProgramRun {
        try start(arguments, wrapper: wrapper, directory: directory).wait()
    }

    /// Starts it.
    static func start(
        _ arguments: [String], wrapper: [String] = [], directory: String? = nil
    ) throws -> RunningProgram {
        try RunningProgram(wrapper + [path] + arguments, directory: directory)
    }
}

/// The result of a program run.
struct ProgramRun: Sendable {
    /// Exit status, or 128 plus the number of the terminating signal, as in a shell.
    let status: Int
    let output: String
    let errors: String
    let seconds: Double

    var outputLines: [Substring] { output.split(separator: "\n") }
    var errorLines: [Substring] { errors.split(separator: "\n") }
}
