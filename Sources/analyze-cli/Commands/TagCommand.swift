import Companion
import CommandLineProgram
import LibraryStore
import MusicFiles
import MusicShared
import Tagging

/// `analyze-cli tag`: writes ReplayGain, and on request tempo and key, from the stored measurements to tags.
struct TagCommand {
    /// Number of tracks fetched at a time.
    private static let batch = 200

    private let music: String
    private let data: DataOption
    private let options: MeasuredTagOptions
    private let places: ChosenPlaces
    private let isDryRun: Bool
    private let printsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var options = MeasuredTagOptions()
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names,
            flags: ["--bpm", "--no-replaygain", "--skip-existing", "--dry-run", "--json", "--quiet"],
            valued: ["--key", "--album", "--peak", "--clip-mode", "--target"]
        ) { name, value in
            switch name {
            case "--key":
                let notation: MeasuredTagOptions.KeyNotation = try OptionValue.oneOf(value, for: name)
                options.key = notation
            case "--album": options.albums = try OptionValue.oneOf(value, for: name)
            case "--peak": options.peak = try OptionValue.oneOf(value, for: name)
            case "--clip-mode": options.clipMode = try OptionValue.oneOf(value, for: name)
            case "--target":
                options.targetLUFS = try OptionValue.number(value, in: MeasuredTagOptions.targets, for: name)
            default: flags.insert(name)
            }
        }
        options.hasTempo = flags.contains("--bpm")
        options.hasReplayGain = !flags.contains("--no-replaygain")
        guard options.hasReplayGain || options.hasTempo || options.key != nil else {
            throw UsageError(message: "--no-replaygain needs --bpm or --key: nothing else is written")
        }
        options.skipsExisting = flags.contains("--skip-existing")
        let operands = try arguments.operands(1...10_000, named: "the music folder")
        music = operands[0]
        places = try ChosenPlaces(operands.dropFirst())
        self.options = options
        data = DataOption(settings)
        isDryRun = flags.contains("--dry-run")
        printsJSON = flags.contains("--json")
        isQuiet = flags.contains("--quiet")
    }

    func run() throws -> ExitCode {
        let folder = try MusicFolder(path: music)
        let dataFolder = try data.existingFolder()
        _ = try LibraryStore(reading: dataFolder)
        let binding = try MusicBinding(dataFolder, to: folder)
        defer { withExtendedLifetime(binding) {} }
        let library = try LibraryStore(dataFolder)
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        if !isDryRun { folder.removeEditLeftovers() }
        try library.measureOutdatedAlbums()
        let planner = MeasuredTagPlanner(library: library, options: options)
        let editor = LibraryEditor(music: folder, library: library)
        var report = TagReport(isDryRun: isDryRun, printsJSON: printsJSON, isQuiet: isQuiet)
        // A host with the same data folder notifies its clients and the media server.
        let log = isDryRun ? nil : try AnalysisQueue(dataFolder).store
        let record = isDryRun ? nil : try RecordedEdits(.measurements, in: dataFolder)
        var found: Set<RelativePath> = []
        var last = 0
        while !cancellation.isCancelled {
            let tracks = try library.tracks(of: TrackSelection(), after: last, limit: Self.batch)
            guard let end = tracks.last?.id else { break }
            last = end
            var edited: [LibraryEditor.Edited] = []
            for track in tracks {
                guard let place = places.place(of: track.path) else { continue }
                found.insert(place)
                if cancellation.isCancelled { break }
                if let done = try tag(track, planner, editor, record, &report) { edited.append(done) }
            }
            try? log?.announce(edited: edited)
        }
        if !cancellation.isCancelled {
            for place in places.places where !found.contains(place) { try report.missing(place) }
        }
        report.summarize()
        if cancellation.isCancelled { return .interrupted }
        return report.failedCount > 0 ? .someFailed : .success
    }

    private func tag(
        _ track: CatalogueTrack, _ planner: MeasuredTagPlanner, _ editor: LibraryEditor,
        _ record: RecordedEdits?, _ report: inout TagReport
    ) throws -> LibraryEditor.Edited? {
        let plan = try planner.plan(track)
        guard case .write(let edit) = plan.outcome, let record else {
            try report.add(track.path, plan)
            return nil
        }
        do throws(TagEditError) {
            let edited = try editor.apply(edit, to: track.path)
            record.add(edited.file)
            var done = plan
            if !edited.file.isChanged { done.outcome = .unchanged }
            try? report.add(track.path, done)
            return edited
        } catch {
            try? report.add(track.path, error)
            return nil
        }
    }
}
