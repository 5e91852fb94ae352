import Companion
import CommandLineProgram
import Foundation
import HTTPServer
import StreamHost

/// The program's entry point: dispatches commands and converts errors to exit codes.
@main
enum StreamHostCLI {
    static func main() async {
        // Ignore SIGXFSZ, so that exceeding a file size limit is reported as an error instead of killing the process.
        signal(SIGXFSZ, SIG_IGN)
        let program = CommandProgram(name: "stream-host", help: HelpText.page)
        Terminal.end(await program.run(Array(CommandLine.arguments.dropFirst()), command))
    }

    private static func command(_ name: String, _ rest: ArgumentList) async throws -> Int32? {
        switch name {
        case "serve": return try await ServeCommand(rest).run()
        case "config":
            try ConfigCommand(rest, for: .host).run()
            return 0
        case "health": return try HealthCommand(rest).run()
        case "key": return try KeyCommand(rest).run()
        case "account": return try AccountCommand(rest).run()
        case "status": return try StatusCommand(rest).run()
        case "qr": return try QRCommand(rest).run()
        case "find": return try FindCommand(rest).run()
        default: return nil
        }
    }
}
