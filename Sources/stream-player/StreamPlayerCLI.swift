import ConsoleProgram
import Foundation

/// The program: finds the command and turns errors into exit codes.
@main
enum StreamPlayerCLI {
    static func main() async {
        // A reader of standard output that goes away is no reason to die with the terminal in a strange state.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ words: [String]) async -> Int32 {
        do {
            return try await command(words)
        } catch let error as UsageError {
            Terminal.complain("stream-player: \(error.message)\nTry `stream-player --help`.")
        } catch {
            Terminal.complain("stream-player: \(error)")
        }
        return 2
    }

    private static func command(_ words: [String]) async throws -> Int32 {
        if words.isEmpty || words.contains("--help") || words.contains("-h") || words.first == "help" {
            Terminal.print(HelpText.page)
            return words.isEmpty ? 2 : 0
        }
        if words.first == "--version" {
            Terminal.print("stream-player \(ProductVersion.text)")
            return 0
        }
        let rest = ArgumentList(Array(words.dropFirst()))
        switch words[0] {
        case "connect": return try await ConnectCommand(rest).run()
        case "browse": return try await BrowseCommand(rest).run()
        case "search": return try await BrowseCommand(rest, isSearch: true).run()
        case "download": return try await DownloadCommand(rest).run()
        case "play": return try await PlayCommand(rest).run()
        case "radio": return try await PlayCommand(rest, isRadio: true).run()
        default: throw UsageError(message: "there is no command \(words[0])")
        }
    }
}
