public import Foundation

/// A child process that has ended: an independent tool asked for the truth.
public struct ProcessRun: Sendable {
    /// Its exit status.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: Data
    /// What it wrote to standard error.
    public let errors: Data

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// A tool that failed or is not installed.
    public struct Failure: Error, CustomStringConvertible {
        /// The command and what it complained of.
        public let description: String
    }

    /// Runs `tool`, found along PATH, to its end.
    ///
    /// - Throws: ``Failure`` where it does not start, or does not exit with 0 although `mustSucceed`.
    @discardableResult
    public static func run(
        _ tool: String, _ arguments: [String], mustSucceed: Bool = true
    ) throws -> ProcessRun {
        let directory = try TemporaryDirectory()
        let outputURL = directory.url.appending(path: "output")
        let errorURL = directory.url.appending(path: "errors")
        // Files instead of pipes: nothing blocks however much the tool writes.
        for url in [outputURL, errorURL] { try Data().write(to: url) }
        let end = try ChildProcess(
            [tool] + arguments, output: .file(directory.file("output")),
            errors: .file(directory.file("errors"))
        ).wait()
        let run = ProcessRun(
            status: end.status, output: try Data(contentsOf: outputURL),
            errors: try Data(contentsOf: errorURL))
        if mustSucceed, run.status != 0 {
            let complaint = String(decoding: run.errors.suffix(2000), as: UTF8.self)
            throw Failure(
                description: "\(tool) \(arguments.joined(separator: " ")): \(run.status)\n\(complaint)")
        }
        return run
    }

    /// Runs `tool` without taking one of the few threads that tasks run on: for tools that talk to a server in this process,
    /// whose handlers need those threads.
    ///
    /// - Throws: As ``run(_:_:mustSucceed:)``.
    @discardableResult
    public static func aside(
        _ tool: String, _ arguments: [String], mustSucceed: Bool = true
    ) async throws -> ProcessRun {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: the system's queues run on the same few threads as tasks.
            Thread {
                continuation.resume(with: Result { try run(tool, arguments, mustSucceed: mustSucceed) })
            }.start()
        }
    }
}
