import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicShared

/// `analyze-cli list`: prints tracks as a table.
struct ListCommand {
    private let data: DataOption
    private let words: String

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        let settings = try arguments.takeSettings(for: .analyzer, only: DataOption.names)
        words = try arguments.operands(0...100, named: "the words to search for").joined(separator: " ")
        data = DataOption(settings)
    }

    func run() throws -> ExitCode {
        let library = try LibraryStore(reading: try data.existingFolder())
        Terminal.print(
            "      #   length     LUFS     LRA    dBTP      BPM  key    ending     artist – title")
        var count = 0
        if words.isEmpty {
            try library.forEachTrack {
                count += 1
                Terminal.print(Self.row(TrackReport($0)))
            }
        } else {
            for track in try library.tracks(matching: words, limit: 1000) {
                guard let analysed = try library.track(id: track.id) else { continue }
                count += 1
                Terminal.print(Self.row(TrackReport(analysed)))
            }
        }
        if count == 0 { Terminal.complain(words.isEmpty ? "no tracks" : "no track matches \"\(words)\"") }
        return count == 0 ? .someFailed : .success
    }

    private static func row(_ report: TrackReport) -> String {
        let title =
            report.text("title")
            ?? String((report.text("relative_path") ?? "").split(separator: "/").last ?? "")
        let name = [report.text("artist"), title].compactMap { $0 }.joined(separator: " – ")
        return [
            cell(report.number("id").map { "\(Int($0))" }, 7),
            cell(report.number("duration_seconds").map(Duration.clock), 9),
            cell(report.number("integrated_lufs").map { decimal($0, 2) }, 9),
            cell(report.number("loudness_range_lu").map { decimal($0, 1) }, 8),
            cell(report.number("true_peak_dbtp").map { decimal($0, 2) }, 8),
            cell(report.number("bpm").map { decimal($0, 2) }, 9),
        ].joined() + "  " + padded(report.text("key_camelot") ?? "–", 7)
            + padded(report.text("ending") ?? "–", 11)
            + Terminal.harmless(name)
    }

    private static func cell(_ text: String?, _ width: Int) -> String {
        let text = text ?? "–"
        return String(repeating: " ", count: max(1, width - text.count)) + text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func decimal(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
