import Foundation
import TestSupport

/// A running program.
final class RunningProgram {
    private let process: ChildProcess
    private let directory: TemporaryDirectory
    private let start = Date()

    /// - Parameters:
    ///   - command: a program, found along PATH, and its arguments.
    ///   - directory: working directory.
    ///   - terminal: a descriptor for its standard error, instead of a file.
    init(_ command: [String], directory folder: String? = nil, terminal: FileHandle? = nil) throws {
        directory = try TemporaryDirectory()
        for name in ["output", "errors"] { try directory.write([], as: name) }
        process = try ChildProcess(
            command, directory: folder, output: .file(directory.file("output")),
            errors: terminal.map { .descriptor($0.fileDescriptor) } ?? .file(directory.file("errors")))
    }

    var processID: Int32 { process.id }
    var isRunning: Bool { process.isRunning }

    /// Standard output so far.
    var output: String { text("output") }
    /// Standard error so far.
    var errors: String { text("errors") }

    /// Sends a signal.
    func signal(_ number: Int32) { process.signal(number) }

    /// Waits for the program to end.
    func wait() throws -> ProgramRun {
        let end = process.wait()
        return ProgramRun(
            status: Int(end.isBySignal ? 128 + end.status : end.status), output: output,
            errors: errors, seconds: Date().timeIntervalSince(start))
    }

    /// Waits until a condition holds.
    /// - Returns: whether it held within the time.
    func waits(_ seconds: Double, until condition: () throws -> Bool) rethrows -> Bool {
        let end = Date() + seconds
        while try !condition() {
            guard Date() < end else { return false }
            usleep(20_000)
        }
        return true
    }

    private func text(_ name: String) -> String {
        String(decoding: (try? directory.read(name)) ?? [], as: UTF8.self)
    }
}
