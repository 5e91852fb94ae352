import ConsoleProgram
import Foundation

/// The program: finds the command and turns errors into exit codes.
@main
enum StreamPlayerCLI {
    static func main() async {
        // A reader of standard output that goes away is no reason to die with the terminal in a strange state.
        signal(SIGPIPE, SIG_IGN)
        let program = CommandProgram(name: "stream-player", help: HelpText.page)
        Terminal.end(await program.run(Array(CommandLine.arguments.dropFirst()), command))
    }

    private static func command(_ name: String, _ rest: ArgumentList) async throws -> Int32? {
        switch name {
        case "connect": return try await ConnectCommand(rest).run()
        case "browse": return try await BrowseCommand(rest).run()
        case "search": return try await BrowseCommand(rest, isSearch: true).run()
        case "download": return try await DownloadCommand(rest).run()
        case "play": return try await PlayCommand(rest).run()
        case "radio": return try await PlayCommand(rest, isRadio: true).run()
        default: return nil
        }
    }
}
