import Analyzer
import Companion
import ConsoleProgram
import Foundation
import MusicShared

/// `analyze-cli MUSIC_DIR`: a pass over a library, or passes for as long as it is watched.
struct PassCommand {
    private var music = ""
    private var data = DataOption()
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
        options.jobs = ProcessInfo.processInfo.activeProcessorCount
        // Whoever works at the machine, and a host that answers, come first.
        options.niceness = 5
        var parts: AnalysisParts = []
        var settings = AnalysisSettings()
        var data = DataOption()
        var flags: Set<String> = []
        try arguments.takeOptions(
            flags: ["--force", "--dj", "--vis", "--watch", "--json", "--quiet"],
            valued: ["--data", "--jobs", "--loudness", "--silence-threshold", "--silence-minimum"]
        ) { name, value in
            switch name {
            case "--data": data = DataOption(path: value)
            case "--jobs": options.jobs = try OptionValue.integer(value, in: 1...256, for: name)
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
            throw UsageError(message: "--dj and --vis exclude each other: without both, all is made")
        }
        options.parts = parts.isEmpty ? .all : parts
        options.settings = settings
        options.isForced = flags.contains("--force")
        music = try arguments.operands(1...1, named: "one music folder")[0]
        self.options = options
        self.data = data
        watches = flags.contains("--watch")
        printsJSON = flags.contains("--json")
        isQuiet = flags.contains("--quiet")
    }

    func run() throws -> ExitCode {
        let folder = try MusicFolder(path: music)
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        var options = options
        // While a folder is watched, whatever was written to just now is probably not complete.
        if watches { options.settlingSeconds = FolderFollower.settlingSeconds }
        let pass = try LibraryPass(
            music: folder, data: try data.folder(), options: options, cancellation: cancellation)
        guard watches else { return try once(pass, isFirst: true).exitCode }
        return try FolderWatch(music: folder, cancellation: cancellation, isQuiet: isQuiet).run {
            isFirst, changes in
            // Only the first pass may be asked to do everything again.
            try once(isFirst || !options.isForced ? pass : pass.incremental(), changes, isFirst: isFirst)
                .unsettled
        }
    }

    private func once(
        _ pass: LibraryPass, _ changes: FolderChanges? = nil, isFirst: Bool
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
        if printsJSON { try lines.print(pass.library) }
        return summary
    }
}

extension PassSummary {
    fileprivate var exitCode: ExitCode {
        if wasCancelled { return .interrupted }
        return failedCount > 0 ? .someFailed : .success
    }
}
