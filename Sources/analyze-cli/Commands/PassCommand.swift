import Analyzer
import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles
import MusicShared

/// `analyze-cli MUSIC_DIR`: a pass over a library, or repeated passes while it is watched.
struct PassCommand {
    private let music: String
    private let data: DataOption
    private let rescan: PassRescan?
    private var options = PassOptions()
    private var watches = false
    private var printsJSON = false
    private var isQuiet = false

    private enum LoudnessMethod: String, CaseIterable {
        case builtIn = "built-in"
        case reference
    }

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var options = PassOptions()
        // Interactive users, and a host serving requests, take precedence.
        options.niceness = 5
        var parts: AnalysisParts = []
        var settings = AnalysisSettings()
        var flags: Set<String> = []
        var confirmed: Set<RelativePath?> = []
        let inForce = try arguments.takeSettings(
            for: .analyzer, operand: ("music", "one music folder"),
            flags: ["--force", "--dj", "--vis", "--watch", "--json", "--quiet", "--profile", "--rebind"],
            valued: ["--loudness", "--silence-threshold", "--silence-minimum", "--confirm-removed"]
        ) { name, value in
            switch name {
            case "--confirm-removed": confirmed.insert(try Self.folder(value, for: name))
            case "--dj": parts.insert(.profile)
            case "--vis": parts.insert(.frames)
            case "--loudness":
                let method: LoudnessMethod = try OptionValue.oneOf(value, for: name)
                settings.usesReferenceLoudness = method == .reference
            case "--silence-threshold":
                settings.silenceThresholdDB = try OptionValue.number(value, in: -120...0, for: name)
            case "--silence-minimum":
                settings.minimumSilenceSeconds = try OptionValue.number(value, in: 0...3600, for: name)
            default: flags.insert(name)
            }
        }
        if parts == .all {
            throw UsageError(message: "--dj and --vis exclude each other; omit both to compute everything")
        }
        options.parts = parts.isEmpty ? .all : parts
        options.settings = settings
        if flags.contains("--profile") { options.stageTimes = StageTimes() }
        options.isForced = flags.contains("--force")
        options.confirmedRemovals = confirmed
        options.rebinds = flags.contains("--rebind")
        // Most tracks of the other folder are not in this one.
        if options.rebinds { options.confirmedRemovals.insert(nil) }
        guard let music = inForce[\.music] else {
            throw UsageError(message: "missing argument: give one music folder")
        }
        self.music = music
        options.jobs = inForce[\.jobs] ?? ProcessInfo.processInfo.activeProcessorCount
        self.options = options
        data = DataOption(inForce)
        rescan = try PassRescan(inForce)
        watches = flags.contains("--watch")
        printsJSON = flags.contains("--json")
        isQuiet = flags.contains("--quiet")
    }

    /// Parses the folder given with an option; nil for the music folder itself.
    private static func folder(_ text: String, for name: String) throws -> RelativePath? {
        if text == UnavailableFolder.musicFolder { return nil }
        guard let path = RelativePath(text: text.hasSuffix("/") ? String(text.dropLast()) : text) else {
            throw UsageError(
                message:
                    "\(name) \(text): give the path relative to the music folder, as shown in the message")
        }
        return path
    }

    func run() throws -> ExitCode {
        let folder = try MusicFolder(path: music)
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        var options = options
        // While a folder is watched, recently written files are probably not complete.
        if watches { options.settlingSeconds = FolderFollower.settlingSeconds }
        let pass = try LibraryPass(
            music: folder, data: try data.folder(), options: options, cancellation: cancellation)
        guard watches else { return try once(pass, isFirst: true).exitCode }
        var reported: [UnavailableFolder] = []
        return try FolderWatch(music: folder, cancellation: cancellation, isQuiet: isQuiet).run {
            isFirst, changes in
            // Only the first pass may redo everything or confirm removals.
            let summary = try once(
                isFirst ? pass : pass.incremental(), changes, isFirst: isFirst, reported: reported)
            // A pass over a part of the folder says nothing about the rest.
            reported = changes == nil ? summary.unavailable : reported + summary.unavailable
            return summary
        }
    }

    private func once(
        _ pass: LibraryPass, _ changes: FolderChanges? = nil, isFirst: Bool,
        reported: [UnavailableFolder] = []
    ) throws -> PassSummary {
        var progress = PassProgress(isQuiet: isQuiet, isRepeated: !isFirst)
        var lines = PassLines(isWhole: isFirst)
        func report(_ event: PassEvent) {
            progress.show(event)
            if printsJSON { lines.note(event) }
        }
        let summary: PassSummary
        do {
            summary = try changes.map { try pass.run(on: $0, report) } ?? pass.run(report)
        } catch {
            progress.clear()
            throw error
        }
        progress.summarize(summary)
        let known = Set(reported.map(\.relativePath))
        progress.warn(of: summary.unavailable.filter { !known.contains($0.relativePath) })
        rescan?.report(summary)
        if let times = options.stageTimes { StageProfile(times).print() }
        if printsJSON { try lines.print(pass.library) }
        return summary
    }
}

extension PassSummary {
    fileprivate var exitCode: ExitCode {
        if wasCancelled { return .interrupted }
        if failedCount > 0 { return .someFailed }
        return unavailable.isEmpty ? .success : .someUnavailable
    }
}
