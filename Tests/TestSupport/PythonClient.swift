internal import Foundation

/// Clients in Python, which talk to a server in this process.
public enum PythonClient {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Clients"
    )
    .path(percentEncoded: false)

    /// Runs a script, which may import those of `TestSupport/Clients`, to its end, for four minutes at most.
    ///
    /// - Parameter script: a path, or the name of a script of that folder.
    /// - Throws: ``ProcessRun/Failure`` where it does not exit with 0.
    @discardableResult
    public static func run(_ script: String, _ arguments: [String]) async throws -> ProcessRun {
        let path = script.hasPrefix("/") ? script : "\(folder)/\(script)"
        return try await ProcessRun.aside(
            "env", ["PYTHONPATH=\(folder)", "timeout", "240", "python3", "-B", path] + arguments)
    }
}
