import Foundation

/// A program of several commands: help, version, errors and exit codes are the same in all of them.
package struct CommandProgram {
    private let name: String
    private let help: String

    /// - Parameters:
    ///   - name: the program's name on the command line.
    ///   - help: the text of `--help`.
    package init(name: String, help: String) {
        self.name = name
        self.help = help
    }

    /// Runs the command named by the first argument.
    /// - Parameter command: receives the command's name and arguments; returns nil for an unknown command.
    /// - Returns: the exit code: the command's own, or 2 if the arguments are wrong or it could not start.
    package func run(
        _ words: [String], _ command: (String, ArgumentList) async throws -> Int32?
    ) async -> Int32 {
        guard let first = words.first else {
            Terminal.print(help)
            return 2
        }
        if words.contains("--help") || words.contains("-h") || first == "help" {
            Terminal.print(help)
            return 0
        }
        if first == "--version" {
            Terminal.print("\(name) \(ProductVersion.text)")
            return 0
        }
        do {
            if let status = try await command(first, ArgumentList(Array(words.dropFirst()))) { return status }
            throw UsageError(message: "unknown command \(first)")
        } catch let error as UsageError {
            Terminal.complain("\(name): \(error.message)\nTry `\(name) --help`.")
        } catch {
            Terminal.complain("\(name): \(error)")
        }
        return 2
    }
}
