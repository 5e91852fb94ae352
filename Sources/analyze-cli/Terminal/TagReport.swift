import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging

/// Output of `tag`: a text or JSON line per file on standard output, failures on standard error, and totals.
struct TagReport {
    private let isDryRun: Bool
    private let printsJSON: Bool
    private let isQuiet: Bool
    private var writtenCount = 0
    private var unchangedCount = 0
    private var skippedCount = 0
    private(set) var failedCount = 0

    init(isDryRun: Bool, printsJSON: Bool, isQuiet: Bool) {
        self.isDryRun = isDryRun
        self.printsJSON = printsJSON
        self.isQuiet = isQuiet
    }

    mutating func add(_ path: RelativePath, _ plan: MeasuredTagPlanner.Plan) throws {
        let (word, name, isShown): (String, String, Bool)
        switch plan.outcome {
        case .write:
            writtenCount += 1
            (word, name, isShown) = (isDryRun ? "would tag" : "tagged", "written", true)
        case .unchanged:
            unchangedCount += 1
            (word, name, isShown) = ("unchanged", "right", false)
        case .existing:
            skippedCount += 1
            (word, name, isShown) = ("existing", "existing", false)
        case .silent:
            skippedCount += 1
            (word, name, isShown) = ("silent", "silent", true)
        case .notAnalysed:
            return try add(
                path, code: "not_analysed", message: "is not analysed yet: run analyze-cli MUSIC_DIR first")
        }
        if printsJSON {
            Terminal.print(
                try JSONLine.text(Line(path: path, outcome: name, isDryRun: isDryRun, plan)))
        } else if isShown, !isQuiet {
            let text = Self.text(plan) + (plan.lacksAlbum ? ", album not fully analysed" : "")
            Terminal.print(
                "\(word.padding(toLength: 9, withPad: " ", startingAt: 0))  \(Terminal.harmless(path.text))"
                    + (text.isEmpty ? "" : "  (\(text))"))
        }
    }

    mutating func add(_ path: RelativePath, _ error: TagEditError) throws {
        try add(path, code: error.code.rawValue, message: error.message)
    }

    /// Reports a given file or folder that is not in the library.
    mutating func missing(_ place: RelativePath) throws {
        try add(place, code: "not_found", message: "no such track in the library")
    }

    func summarize() {
        guard !isQuiet else { return }
        Terminal.complain(
            "\(writtenCount) \(isDryRun ? "to tag" : "tagged"), \(unchangedCount) already correct, "
                + "\(skippedCount) skipped, \(failedCount) failed")
    }

    private mutating func add(_ path: RelativePath, code: String, message: String) throws {
        failedCount += 1
        if printsJSON { Terminal.print(try JSONLine.text(Line(path: path, code: code, message: message))) }
        Terminal.complain("failed     \(Terminal.harmless(path.text)): \(message)")
    }

    private static func text(_ plan: MeasuredTagPlanner.Plan) -> String {
        let track = plan.values.trackGainDB.map { String(format: "track %+.2f dB", $0) }
        let album = plan.values.albumGainDB.map { String(format: "album %+.2f dB", $0) }
        return [track, album, plan.bpm.map { "\($0) BPM" }, plan.initialKey].compactMap { $0 }.joined(
            separator: ", ")
    }

    /// A line of `--json` output.
    private struct Line: Encodable {
        let relativePath: String
        let outcome: String
        var dryRun: Bool?
        var values: ReplayGainValues?
        var bpm: Int?
        var initialKey: String?
        var error: Reason?

        struct Reason: Encodable {
            let code: String
            let message: String
        }

        init(path: RelativePath, outcome: String, isDryRun: Bool, _ plan: MeasuredTagPlanner.Plan) {
            relativePath = path.text
            self.outcome = outcome
            dryRun = isDryRun ? true : nil
            let values = plan.values
            self.values = ReplayGainValues(
                trackGainDB: values.trackGainDB, trackPeak: values.trackPeak,
                albumGainDB: values.albumGainDB, albumPeak: values.albumPeak)
            bpm = plan.bpm
            initialKey = plan.initialKey
        }

        init(path: RelativePath, code: String, message: String) {
            relativePath = path.text
            outcome = "failed"
            error = Reason(code: code, message: message)
        }

        private enum CodingKeys: String, CodingKey {
            case outcome, error, bpm
            case relativePath = "relative_path"
            case dryRun = "dry_run"
            case values = "replay_gain"
            case initialKey = "initial_key"
        }
    }
}
