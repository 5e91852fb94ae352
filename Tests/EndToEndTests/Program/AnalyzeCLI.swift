import Foundation
import TestSupport

/// Where the build puts programs: beside the test bundle.
enum BuiltProgram {
    /// The path of a program.
    static func path(_ name: String) -> String {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = bundle.appending(path: name).path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        // Where the tests are loaded by a helper of the toolchain, the bundle is named on its command line.
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        return URL(filePath: named).deletingLastPathComponent().appending(path: name)
            .path(percentEncoded: false)
    }
}

/// `analyze-cli`, run as a user runs it.
enum AnalyzeCLI {
    static let path = BuiltProgram.path("analyze-cli")

    /// Runs it to its end.
    /// - Parameters:
    ///   - arguments: its arguments.
    ///   - wrapper: a command that is given the program to run, such as `prlimit`.
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

/// How a program ended.
struct ProgramRun: Sendable {
    /// Its exit status, or 128 and the number of the signal that ended it, as a shell has it.
    let status: Int
    let output: String
    let errors: String
    let seconds: Double

    var outputLines: [Substring] { output.split(separator: "\n") }
    var errorLines: [Substring] { errors.split(separator: "\n") }
}
