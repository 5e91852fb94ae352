import Companion
import ConsoleProgram
import Foundation
import Settings
import SQLiteDatabase

/// The program: finds the command and turns errors into exit codes.
@main
enum AnalyzeCLI {
    static func main() {
        // A file that may not grow any more is an error like a full disk, which the store reports.
        signal(SIGXFSZ, SIG_IGN)
        // A reader that goes away (`| head`) ends the program quietly by the default action; a terminal in raw bytes
        // needs no locale.
        Terminal.end(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitCode {
        do {
            return try command(words)
        } catch let error as UsageError {
            Terminal.complain("analyze-cli: \(error.message)\nTry `analyze-cli --help`.")
        } catch let error as DatabaseError {
            // Which statement failed tells a user nothing.
            let path = error.path.map { "\($0): " } ?? ""
            Terminal.complain("analyze-cli: \(path)\(error.message)")
            if error.code == .full {
                Terminal.complain(
                    "What was finished is kept. Make room, then run the same command again: it goes on.")
            }
        } catch {
            Terminal.complain("analyze-cli: \(error)")
        }
        return .cannotRun
    }

    private static func command(_ words: [String]) throws -> ExitCode {
        if words.contains("--help") || words.contains("-h") || words.first == "help" {
            let topic = words.first { !$0.hasPrefix("-") && $0 != "help" }
            Terminal.print(HelpText.page(for: topic))
            return .success
        }
        guard let first = words.first else {
            // Where the environment names the music, no more need be said.
            if ProcessInfo.processInfo.environment["MUSIC_DIR"]?.isEmpty == false {
                return try PassCommand(ArgumentList(words)).run()
            }
            Terminal.complain(HelpText.usage)
            return .cannotRun
        }
        let rest = ArgumentList(Array(words.dropFirst()))
        switch first {
        case "--version":
            Terminal.print("analyze-cli \(ProductVersion.text)")
            return .success
        case "show": return try ShowCommand(rest).run()
        case "list": return try ListCommand(rest).run()
        case "config":
            try ConfigCommand(rest, for: .analyzer).run()
            return .success
        case "export": return try ExportCommand(rest).run()
        case "tag": return try TagCommand(rest).run()
        default: return try PassCommand(ArgumentList(words)).run()
        }
    }
}

/// What the program's end tells its caller.
enum ExitCode: Int32 {
    /// All fine.
    case success = 0
    /// Some tracks failed, or the track asked for is not there.
    case someFailed = 1
    /// Wrong usage, or something needed is missing.
    case cannotRun = 2
    /// Ended by Ctrl-C.
    case interrupted = 130
}
