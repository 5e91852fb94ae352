import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicShared
import TrackView

/// `analyze-cli show TRACK`: shows everything about one track.
struct ShowCommand {
    private let data: DataOption
    private let name: String
    private let picture: String?
    private let printsJSON: Bool
    private let width: Int?
    private let isPlain: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var picture: String?
        var width: Int?
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--json", "--plain"],
            valued: ["--png", "--width"]
        ) { name, value in
            switch name {
            case "--png": picture = value
            case "--width": width = try OptionValue.integer(value, in: 40...1000, for: name)
            default: flags.insert(name)
            }
        }
        name = try arguments.operands(1...100, named: "a track: its path, ID, or words from its title")
            .joined(separator: " ")
        data = DataOption(settings)
        self.picture = picture
        self.width = width
        printsJSON = flags.contains("--json")
        isPlain = flags.contains("--plain")
    }

    func run() throws -> ExitCode {
        let folder = try data.existingFolder()
        let library = try LibraryStore(reading: folder)
        let found = try TrackLookup(library).find(name)
        guard case .track(let track) = found else {
            Terminal.complain(found.explanation(of: name))
            return .someFailed
        }
        if printsJSON {
            Terminal.print(try JSONLine.text(TrackReport(track)))
            return .success
        }
        let frames = try SpectrumStore(folder).frames(of: track.track.audioHash)
        if let picture {
            try TrackPicture.write(track: track, frames: frames, to: picture)
            return .success
        }
        var style = TerminalStyle(
            environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)
        if isPlain { style.colours = .none }
        let report = TerminalReport(width: width ?? Terminal.columns, style: style)
        Terminal.write(report.render(track, frames: frames), to: STDOUT_FILENO)
        return .success
    }
}
