import Companion
import ConsoleProgram
import Foundation
import LibraryStore
import MusicShared
import Settings

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
        let title = report.title ?? String(report.relativePath.split(separator: "/").last ?? "")
        let name = [report.artist, title].compactMap { $0 }.joined(separator: " – ")
        return [
            cell(report.id.map { "\($0)" }, 7), cell(report.durationSeconds.map(Duration.clock), 9),
            cell(report.integratedLUFS.map { decimal($0, 2) }, 9),
            cell(report.loudnessRangeLU.map { decimal($0, 1) }, 8),
            cell(report.truePeakDBTP.map { decimal($0, 2) }, 8), cell(report.bpm.map { decimal($0, 2) }, 9),
        ].joined() + "  " + padded(report.keyCamelot ?? "–", 7) + padded(report.ending ?? "–", 11)
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
