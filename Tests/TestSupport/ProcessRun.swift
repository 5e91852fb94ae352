public import Foundation

/// The result of an independent tool that was run as a child process.
public struct ProcessRun: Sendable {
    /// Exit status.
    public let status: Int32
    /// Standard output.
    public let output: Data
    /// Standard error.
    public let errors: Data

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }

    /// A tool that failed or is not installed.
    public struct Failure: Error, CustomStringConvertible {
        /// The command and its error output.
        public let description: String
    }

    /// Runs `tool`, found along PATH, to completion.
    ///
    /// - Parameter input: its standard input.
    /// - Throws: ``Failure`` if it does not start, or `mustSucceed` is true and it does not exit with 0.
    @discardableResult
    public static func run(
        _ tool: String, _ arguments: [String], input: String = "", mustSucceed: Bool = true
    ) throws -> ProcessRun {
        let directory = try TemporaryDirectory()
        let source = try directory.write(Array(input.utf8), as: "input")
        let outputURL = directory.url.appending(path: "output")
        let errorURL = directory.url.appending(path: "errors")
        // Files instead of pipes: the tool never blocks, however much it writes.
        for url in [outputURL, errorURL] { try Data().write(to: url) }
        let end = try ChildProcess(
            [tool] + arguments, input: .file(source), output: .file(directory.file("output")),
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

    /// Runs `tool` without blocking one of the few threads of the task pool: for tools that talk to a server in this process,
    /// whose handlers need those threads.
    ///
    /// - Throws: like ``run(_:_:input:mustSucceed:)``.
    @discardableResult
    public static func aside(
        _ tool: String, _ arguments: [String], input: String = "", mustSucceed: Bool = true
    ) async throws -> ProcessRun {
        try await withCheckedThrowingContinuation { continuation in
            // A dedicated thread: the system's queues share their few threads with tasks.
            Thread {
                continuation.resume(
                    with: Result { try run(tool, arguments, input: input, mustSucceed: mustSucceed) })
            }.start()
        }
    }
}
