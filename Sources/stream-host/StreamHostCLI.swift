import Companion
import ConsoleProgram
import Foundation
import HTTPServer
import Settings
import StreamHost

/// The program: finds the command and turns errors into exit codes.
@main
enum StreamHostCLI {
    static func main() async {
        // Beyond a limit on file sizes writing fails with an error, which is told, instead of ending the program.
        signal(SIGXFSZ, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) async -> Int32 {
        do {
            return try await command(words)
        } catch let error as UsageError {
            Terminal.complain("stream-host: \(error.message)\nTry `stream-host --help`.")
        } catch {
            Terminal.complain("stream-host: \(error)")
        }
        return 2
    }

    private static func command(_ words: [String]) async throws -> Int32 {
        if words.isEmpty || words.contains("--help") || words.contains("-h") || words.first == "help" {
            Terminal.print(HelpText.page)
            return words.isEmpty ? 2 : 0
        }
        if words.first == "--version" {
            Terminal.print("stream-host \(ProductVersion.text)")
            return 0
        }
        let rest = ArgumentList(Array(words.dropFirst()))
        switch words[0] {
        case "serve": return try await ServeCommand(rest).run()
        case "config":
            try ConfigCommand(rest, for: .host).run()
            return 0
        case "health": return try HealthCommand(rest).run()
        case "key": return try KeyCommand(rest).run()
        case "status": return try StatusCommand(rest).run()
        case "qr": return try QRCommand(rest).run()
        case "find": return try FindCommand(rest).run()
        default: throw UsageError(message: "there is no command \(words[0])")
        }
    }
}
