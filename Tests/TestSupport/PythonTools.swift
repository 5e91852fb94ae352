internal import Foundation

/// The virtual environment of `Tests/python-requirements.txt`.
public enum PythonTools {
    /// Its folder; made where it is not there yet.
    public static func folder() async throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../scripts/python-tools"
        ).standardizedFileURL.path(percentEncoded: false)
        return try await ProcessRun.aside(script, []).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs Python code with arguments, and gives what it printed.
    public static func run(_ code: String, _ arguments: [String] = []) async throws -> String {
        try await ProcessRun.aside("\(folder())/bin/python", ["-B", "-c", code] + arguments).text
    }
}
