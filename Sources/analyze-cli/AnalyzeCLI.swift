import Companion
import CommandLineProgram
import Foundation
import SQLiteDatabase

/// The program: selects the command and converts errors to exit codes.
@main
enum AnalyzeCLI {
    static func main() {
        // Exceeding the file size limit should be an error like a full disk, which the store reports.
        signal(SIGXFSZ, SIG_IGN)
        // If the reader closes the pipe (`| head`), the default action ends the program quietly; terminal output is raw bytes
        // and needs no locale.
        Terminal.end(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitCode {
        do {
            return try command(words)
        } catch let error as UsageError {
            Terminal.complain("analyze-cli: \(error.message)\nTry `analyze-cli --help`.")
        } catch let error as DatabaseError {
            // The failed statement is of no use to users.
            let path = error.path.map { "\($0): " } ?? ""
            Terminal.complain("analyze-cli: \(path)\(error.message)")
            if error.code == .full {
                Terminal.complain(
                    "Finished tracks are kept. Free some space, then run the same command again to continue.")
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
            // If the environment specifies the music folder, no arguments are needed.
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
        case "similar": return try SimilarCommand(rest).run()
        case "mix": return try MixCommand(rest).run()
        case "list": return try ListCommand(rest).run()
        case "config":
            try ConfigCommand(rest, for: .analyzer).run()
            return .success
        case "export": return try ExportCommand(rest).run()
        case "duplicates": return try DuplicatesCommand(rest).run()
        case "identify": return try IdentifyCommand(rest).run()
        case "tag": return try TagCommand(rest).run()
        case "prune": return try PruneCommand(rest).run()
        case "plan": return try PlanCommand(rest).run()
        case "part": return try PartCommand(rest).run()
        case "merge": return try MergeCommand(rest).run()
        case "status": return try StatusCommand(rest).run()
        default: return try PassCommand(ArgumentList(words)).run()
        }
    }
}
