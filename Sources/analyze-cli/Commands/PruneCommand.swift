import Companion
import CommandLineProgram
import Foundation
import LibraryStore

/// `analyze-cli prune`: removes tracks whose files have been missing for a long time.
struct PruneCommand {
    private static let defaultDays = 90

    private let data: DataOption
    private let days: Int
    private let applies: Bool
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var days = Self.defaultDays
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--apply", "--quiet"], valued: ["--older-than"]
        ) { name, value in
            if name == "--older-than" { days = try Self.days(value, for: name) } else { flags.insert(name) }
        }
        _ = try arguments.operands(0...0, named: "the data folder with --data")
        data = DataOption(settings)
        self.days = days
        applies = flags.contains("--apply")
        isQuiet = flags.contains("--quiet")
    }

    /// Parses a duration: `90d`, `12w`, `2y`, or a number of days.
    private static func days(_ text: String, for name: String) throws -> Int {
        let units: [Character: Int] = ["d": 1, "w": 7, "y": 365]
        let unit = text.last.flatMap { units[$0] }
        let number = unit == nil ? text : String(text.dropLast())
        guard let count = Int(number), (0...36_500).contains(count) else {
            throw UsageError(message: "\(name) must be a duration such as 90d, 12w or 2y, not \(text)")
        }
        return count * (unit ?? 1)
    }

    func run() throws -> ExitCode {
        let pruning = try LibraryPruning(try data.existingFolder())
        let result = try pruning.run(goneBefore: Date() - Double(days) * 86_400, isTrial: !applies)
        if !isQuiet {
            let style = Date.ISO8601FormatStyle().year().month().day()
            for track in result.tracks {
                Terminal.print(
                    "missing since \(track.goneSince.formatted(style))  "
                        + Terminal.harmless("\(track.path)"))
            }
        }
        guard !result.isEmpty else {
            Terminal.print("nothing to remove: no file has been missing for \(Self.text(days, "day"))")
            return .success
        }
        let size = ByteCountFormatStyle(style: .decimal).format(Int64(result.frameBytes))
        Terminal.print(
            (applies ? "removed " : "would remove ")
                + [
                    Self.text(result.tracks.count, "track"),
                    Self.text(result.analyses, "analysis", "analyses"),
                    "spectra of " + Self.text(result.frames, "recording") + " (\(size))",
                    Self.text(result.albums, "album"), Self.text(result.artists, "artist"),
                ].joined(separator: ", ") + "; stars, plays and playlists are kept")
        if !applies { Terminal.print("nothing was changed; use --apply to remove them") }
        return .success
    }

    private static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(count) " + (count == 1 ? one : many ?? one + "s")
    }
}
