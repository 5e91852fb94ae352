internal import Foundation

/// Python clients that talk to a server in this process.
public enum PythonClient {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Clients"
    )
    .path(percentEncoded: false)

    /// Runs a script, which may import those in `TestSupport/Clients`, to completion, for at most four minutes.
    ///
    /// - Parameter script: a path, or the name of a script in that folder.
    /// - Throws: ``ProcessRun/Failure`` if it does not exit with 0.
    @discardableResult
    public static func run(_ script: String, _ arguments: [String]) async throws -> ProcessRun {
        let path = script.hasPrefix("/") ? script : "\(folder)/\(script)"
        return try await ProcessRun.aside(
            "env", ["PYTHONPATH=\(folder)", "timeout", "240", "python3", "-B", path] + arguments)
    }
}
