import Foundation
import TestSupport

/// A program under way.
final class RunningProgram {
    private let process = Process()
    private let directory: TemporaryDirectory
    private let start = Date()

    /// - Parameters:
    ///   - command: a program, found along PATH, and its arguments.
    ///   - directory: where it runs.
    ///   - terminal: a descriptor for its standard error, instead of a file.
    init(_ command: [String], directory folder: String? = nil, terminal: FileHandle? = nil) throws {
        directory = try TemporaryDirectory()
        for name in ["output", "errors"] { try directory.write([], as: name) }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: directory.file("output"))
        process.standardError = terminal ?? FileHandle(forWritingAtPath: directory.file("errors"))
        try process.start()
    }

    deinit {
        // A test that failed midway leaves nothing behind.
        if process.isRunning {
            process.terminate()
            kill(process.processIdentifier, SIGKILL)
        }
    }

    var processID: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// What it has written to standard output so far.
    var output: String { text("output") }
    /// What it has written to standard error so far.
    var errors: String { text("errors") }

    /// Sends it a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    func wait() throws -> ProgramRun {
        process.waitUntilExit()
        let status = Int(process.terminationStatus)
        return ProgramRun(
            status: process.terminationReason == .uncaughtSignal ? 128 + status : status, output: output,
            errors: errors, seconds: Date().timeIntervalSince(start))
    }

    /// Waits until something holds.
    /// - Returns: whether it did, within the time.
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
