internal import Foundation

/// Tools from Python's registry, in the virtual environment that `scripts/python-tools` makes.
public enum PythonTools {
    /// The repository's root.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL.path(percentEncoded: false)

    /// The environment's folder, made where it is not there yet.
    /// - Throws: where it cannot be made.
    public static func folder() async throws -> String {
        let run = try await ProcessRun.aside("\(root)/scripts/python-tools", [])
        return run.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The path of a program, `python` among them.
    /// - Throws: where the environment cannot be made.
    public static func program(_ name: String) async throws -> String { try await folder() + "/bin/\(name)" }

    /// Runs Python code with arguments, and gives what it printed.
    public static func run(_ code: String, _ arguments: [String] = []) async throws -> String {
        try await ProcessRun.aside(program("python"), ["-B", "-c", code] + arguments).text
    }
}
