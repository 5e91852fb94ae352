import Analyzer
import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicShared

/// `analyze-cli export`: exports the library for other programs.
struct ExportCommand {
    private enum Format: String, CaseIterable {
        case json, jsonl, csv, liquidsoap
    }

    private let data: DataOption
    private let format: Format
    private let output: String?
    private let music: String
    private let skipsBlank: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var format = Format.json
        var output: String?
        var music = ""
        var skipsBlank = false
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--skip-blank"],
            valued: ["--format", "--output", "--music"]
        ) { name, value in
            switch name {
            case "--format": format = try OptionValue.oneOf(value, for: name)
            case "--output": output = value
            case "--music": music = value.hasSuffix("/") ? value : value + "/"
            default: skipsBlank = true
            }
        }
        _ = try arguments.operands(0...0, named: "options only (the whole library is exported)")
        data = DataOption(settings)
        self.format = format
        self.output = output
        self.music = music
        self.skipsBlank = skipsBlank
    }

    func run() throws -> ExitCode {
        let library = try LibraryStore(reading: try data.existingFolder())
        let sink = try ExportSink(path: output)
        var leftOut = 0
        switch format {
        case .jsonl: try library.forEachTrack { try sink.write(JSONLine.text(TrackReport($0)) + "\n") }
        case .json:
            var isFirst = true
            try sink.write("[")
            try library.forEachTrack { track in
                try sink.write((isFirst ? "\n" : ",\n") + JSONLine.text(TrackReport(track, hasDetails: true)))
                isFirst = false
            }
            try sink.write("\n]\n")
        case .csv:
            try sink.write(CSVTable.header)
            try library.forEachTrack { try sink.write(CSVTable.row(TrackReport($0))) }
        case .liquidsoap:
            try library.forEachTrack { track in
                func leaveOut(_ reason: String) {
                    leftOut += 1
                    Terminal.complain("skipped   \(Terminal.harmless(track.track.path.text)): \(reason)")
                }
                guard track.track.part == nil || track.track.part?.startSample != nil else {
                    return leaveOut("its start in the file is not known; analyse the folder again")
                }
                let uri = Array(music.utf8) + track.track.path.audioFile.bytes
                guard let request = LiquidsoapAnnotation(track, uri: uri, skipsBlank: skipsBlank) else {
                    return
                }
                guard request.fitsOnOneLine else { return leaveOut("the name contains a line break") }
                try sink.write(request.bytes + [0x0A])
            }
        }
        try sink.finish()
        return leftOut > 0 ? .someFailed : .success
    }
}
