import AcoustID
import Analyzer
import Companion
import CommandLineProgram
import LibraryStore
import MusicFiles
import MusicShared
import Tagging

/// `analyze-cli identify`: looks fingerprints up at AcoustID, shows the proposed tags, and writes them on request.
struct IdentifyCommand {
    /// Number of tracks fetched at a time.
    private static let batch = 200

    private let music: String
    private let data: DataOption
    private let address: String
    private let key: String
    private let places: ChosenPlaces
    private let isApplied: Bool
    private let isForUntitled: Bool
    private let printsJSON: Bool
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var flags: Set<String> = []
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names.union(["acoustid-key", "acoustid-url"]),
            flags: ["--apply", "--untitled", "--json", "--quiet"], valued: []
        ) { name, _ in flags.insert(name) }
        let operands = try arguments.operands(1...10_000, named: "the music folder")
        guard let key = settings[\.acoustIDKey], !key.isEmpty else {
            throw UsageError(
                message: "an API key is needed: register an application at acoustid.org, and set ACOUSTID_KEY"
            )
        }
        music = operands[0]
        places = try ChosenPlaces(operands.dropFirst())
        data = DataOption(settings)
        address = settings[\.acoustIDURL]
        self.key = key
        isApplied = flags.contains("--apply")
        isForUntitled = flags.contains("--untitled")
        printsJSON = flags.contains("--json")
        isQuiet = flags.contains("--quiet")
    }

    func run() throws -> ExitCode {
        let client = try AcoustIDClient(
            address: address, key: key, program: "analyze-cli/\(ProductVersion.text)")
        let folder = try MusicFolder(path: music)
        let dataFolder = try data.existingFolder()
        let binding = try MusicBinding(dataFolder, to: folder)
        defer { withExtendedLifetime(binding) {} }
        let library = try isApplied ? LibraryStore(dataFolder) : LibraryStore(reading: dataFolder)
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        if isApplied { folder.removeEditLeftovers() }
        let editor = isApplied ? LibraryEditor(music: folder, library: library) : nil
        // A host with the same data folder notifies its clients and the media server.
        let log = isApplied ? try AnalysisQueue(dataFolder).store : nil
        let record = isApplied ? try RecordedEdits(.edit, in: dataFolder) : nil
        var report = IdentifyReport(isApplied: isApplied, printsJSON: printsJSON, isQuiet: isQuiet)
        var found: Set<RelativePath> = []
        var last = 0
        while !cancellation.isCancelled {
            let tracks = try library.tracks(of: TrackSelection(), after: last, limit: Self.batch)
            guard let end = tracks.last?.id else { break }
            last = end
            var edited: [LibraryEditor.Edited] = []
            // Edits that are done are announced also if the service refuses the next request.
            defer { try? log?.announce(edited: edited) }
            for track in tracks {
                guard let place = places.place(of: track.path) else { continue }
                found.insert(place)
                if cancellation.isCancelled { break }
                if let done = try identify(track, library, client, editor, record, &report) {
                    edited.append(done)
                }
            }
        }
        if !cancellation.isCancelled {
            for place in places.places where !found.contains(place) { try report.missing(place) }
        }
        try editor?.finish()
        report.summarize()
        if cancellation.isCancelled { return .interrupted }
        return report.failedCount > 0 ? .someFailed : .success
    }

    /// Looks a track up and applies what is proposed if requested.
    /// - Throws: `AcoustIDError` if further look-ups would fail as well.
    private func identify(
        _ track: CatalogueTrack, _ library: LibraryStore, _ client: AcoustIDClient, _ editor: LibraryEditor?,
        _ record: RecordedEdits?, _ report: inout IdentifyReport
    ) throws -> LibraryEditor.Edited? {
        if isForUntitled, track.tags.title != nil, track.tags.artist != nil { return nil }
        guard let analysis = try library.analysis(of: track.audioHash), let profile = analysis.profile else {
            try report.add(
                track.path, code: "not_analysed",
                message: "is not analysed yet: run analyze-cli MUSIC_DIR first")
            return nil
        }
        guard let fingerprint = profile.fingerprint else {
            try report.add(track.path, code: "no_fingerprint", message: "is too short for a fingerprint")
            return nil
        }
        let recordings: [AcoustIDRecording]
        do throws(AcoustIDError) {
            recordings = try client.recordings(
                fingerprint: fingerprint.text, durationSeconds: analysis.stream.durationSeconds)
        } catch {
            guard error.code == .invalidRequest else { throw error }
            try report.add(track.path, code: "invalid_request", message: error.description)
            return nil
        }
        let proposal = TagProposal(recordings, for: track.tags)
        guard let editor, case .recording(_, _, let edit) = proposal, !edit.isEmpty else {
            try report.add(track, proposal)
            return nil
        }
        do throws(TagEditError) {
            let edited = try editor.apply(edit, to: track.path)
            record?.add(edited.file)
            try? report.add(track, proposal)
            return edited
        } catch {
            try? report.add(track.path, code: error.code.rawValue, message: error.message)
            return nil
        }
    }
}
