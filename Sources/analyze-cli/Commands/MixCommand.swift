import Companion
import CommandLineProgram
import LibraryStore
import MusicShared

/// `analyze-cli mix A B`: plans the transition between two tracks.
struct MixCommand {
    private let data: DataOption
    private let names: [String]
    private let options: CrossfadePlan.Options
    private let printsJSON: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var options = CrossfadePlan.Options(mode: .mix)
        var printsJSON = false
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--json", "--only-when-it-fits"],
            valued: ["--mode", "--beats", "--target"]
        ) { name, value in
            switch name {
            case "--mode": options.mode = try OptionValue.oneOf(value, for: name)
            case "--beats":
                options.maximumBeats = try OptionValue.integer(
                    value, in: CrossfadePlan.Options.beatRange, for: name)
            case "--target":
                options.targetLUFS = try OptionValue.number(
                    value, in: CrossfadePlan.Options.targetRange, for: name)
            case "--only-when-it-fits": options.onlyWhenItFits = true
            default: printsJSON = true
            }
        }
        names = try arguments.operands(2...2, named: "two tracks: the path or ID of each")
        data = DataOption(settings)
        self.options = options
        self.printsJSON = printsJSON
    }

    func run() throws -> ExitCode {
        let library = try LibraryStore(reading: try data.existingFolder())
        var tracks: [CrossfadeTrack] = []
        for name in names {
            let found = try TrackLookup(library).find(name)
            guard case .track(let track) = found else {
                Terminal.complain(found.explanation(of: name))
                return .someFailed
            }
            guard let facts = CrossfadeTrack(track) else {
                Terminal.complain("\(Terminal.harmless(name)) has not been analysed yet")
                return .someFailed
            }
            tracks.append(facts)
        }
        let plan = CrossfadePlan(from: tracks[0], to: tracks[1], options: options)
        Terminal.print(printsJSON ? try JSONLine.text(plan) : plan.reason ?? "")
        return .success
    }
}
