import Analyzer
import Companion
import CommandLineProgram
import LibraryStore
import MusicFiles
import MusicShared
import TrackView

/// `analyze-cli mix A B`: plans the transition between two tracks.
struct MixCommand {
    private let data: DataOption
    private let names: [String]
    private let options: CrossfadePlan.Options
    private let printsJSON: Bool
    /// The picture to write.
    private let picture: String?
    /// The WAV file to write, and the music folder that the tracks are in.
    private let output: (file: String, music: String)?

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var options = CrossfadePlan.Options(mode: .mix)
        var printsJSON = false
        var output: String?
        var music: String?
        var picture: String?
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--json", "--only-when-it-fits"],
            valued: ["--mode", "--beats", "--target", "--output", "--music", "--png"]
        ) { name, value in
            switch name {
            case "--mode": options.mode = try OptionValue.oneOf(value, for: name)
            case "--beats":
                options.maximumBeats = try OptionValue.integer(
                    value, in: CrossfadePlan.Options.beatRange, for: name)
            case "--target":
                options.targetLUFS = try OptionValue.number(
                    value, in: CrossfadePlan.Options.targetRange, for: name)
            case "--output":
                guard value.hasPrefix("wav:"), value.count > 4 else {
                    throw UsageError(message: "--output must be wav:FILE, not \"\(value)\"")
                }
                output = String(value.dropFirst(4))
            case "--music": music = value
            case "--png": picture = value
            case "--only-when-it-fits": options.onlyWhenItFits = true
            default: printsJSON = true
            }
        }
        switch (output, music) {
        case (let output?, let music?): self.output = (output, music)
        case (nil, nil): self.output = nil
        default:
            throw UsageError(
                message: "--output and --music belong together: the sound is made from the files")
        }
        self.picture = picture
        names = try arguments.operands(2...2, named: "two tracks: the path or ID of each")
        data = DataOption(settings)
        self.options = options
        self.printsJSON = printsJSON
    }

    func run() throws -> ExitCode {
        let library = try LibraryStore(reading: try data.existingFolder())
        var tracks: [CrossfadeTrack] = []
        var analysed: [AnalysedTrack] = []
        let folder = try (output?.music).map { try MusicFolder(path: $0) }
        var files: [(file: [UInt8], sampleRate: Int)] = []
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
            analysed.append(track)
            if let folder, let stream = track.analysis?.stream {
                files.append((folder.absolutePath(of: track.track.path), stream.sampleRateHz))
            }
        }
        let plan = CrossfadePlan(from: tracks[0], to: tracks[1], options: options)
        if let picture {
            try MixPicture.write(plan, from: analysed[0], to: analysed[1], to: picture)
        }
        if let output { try MixSound(plan, files).write(to: output.file) }
        Terminal.print(printsJSON ? try JSONLine.text(plan) : plan.reason ?? "")
        return .success
    }
}
