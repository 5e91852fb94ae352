import Foundation

/// A program of several commands: help, version, errors and exit codes, the same in all of them.
public struct CommandProgram {
    private let name: String
    private let help: String

    /// - Parameters:
    ///   - name: as it is called.
    ///   - help: the page of `--help`.
    public init(name: String, help: String) {
        self.name = name
        self.help = help
    }

    /// Runs the command that the words begin with.
    /// - Parameter command: gets its name and what follows; nil where there is no such command.
    /// - Returns: the exit code: the command's own, or 2 where it makes no sense or could not begin.
    public func run(
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
            throw UsageError(message: "there is no command \(first)")
        } catch let error as UsageError {
            Terminal.complain("\(name): \(error.message)\nTry `\(name) --help`.")
        } catch {
            Terminal.complain("\(name): \(error)")
        }
        return 2
    }
}
