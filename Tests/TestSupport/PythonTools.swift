internal import Foundation

/// Tools from PyPI, in the virtual environment created by `scripts/python-tools`.
public enum PythonTools {
    /// The repository's root.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL.path(percentEncoded: false)

    /// Returns the environment's folder, creating it if necessary.
    /// - Throws: if it cannot be created.
    public static func folder() async throws -> String {
        let run = try await ProcessRun.aside("\(root)/scripts/python-tools", [])
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the path of a program, including `python`.
    /// - Throws: if the environment cannot be created.
    public static func program(_ name: String) async throws -> String { try await folder() + "/bin/\(name)" }

    /// Runs Python code with arguments, and returns its output.
    public static func run(_ code: String, _ arguments: [String] = []) async throws -> String {
        try await ProcessRun.aside(program("python"), ["-B", "-c", code] + arguments).text
    }
}
