import CommandLineProgram
import Foundation
import StreamClient

/// The program: runs the command and converts errors to exit codes.
@main
enum StreamPlayerCLI {
    static func main() async {
        // Do not terminate when the reader of standard output exits: the terminal mode must be restored.
        signal(SIGPIPE, SIG_IGN)
        let program = CommandProgram(name: "stream-player", help: HelpText.page)
        Terminal.end(await program.run(Array(CommandLine.arguments.dropFirst()), command))
    }

    /// An error message with secrets in URLs masked.
    private struct MaskedError: Error, CustomStringConvertible {
        let description: String
    }

    private static func command(_ name: String, _ rest: ArgumentList) async throws -> Int32? {
        do {
            return try await run(name, rest)
        } catch let error as UsageError {
            throw UsageError(message: AddressMask.masked(error.message))
        } catch {
            throw MaskedError(description: AddressMask.masked("\(error)"))
        }
    }

    private static func run(_ name: String, _ rest: ArgumentList) async throws -> Int32? {
        switch name {
        case "connect": return try await ConnectCommand(rest).run()
        case "browse": return try await BrowseCommand(rest).run()
        case "search": return try await BrowseCommand(rest, isSearch: true).run()
        case "download": return try await DownloadCommand(rest).run()
        case "play": return try await PlayCommand(rest).run()
        case "jukebox": return try await JukeboxCommand(rest).run()
        case "radio": return try await PlayCommand(rest, isRadio: true).run()
        default: return nil
        }
    }
}
