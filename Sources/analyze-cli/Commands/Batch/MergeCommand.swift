import BatchAnalysis
import Companion
import CommandLineProgram
import LibraryStore

/// `analyze-cli merge`: adds the results of a run to a library.
struct MergeCommand {
    private let place: String
    private let data: DataOption
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var library: String?
        var isQuiet = false
        let settings = try arguments.takeSettings(
            for: .analyzer, only: DataOption.names, flags: ["--quiet"], valued: ["--into"]
        ) { name, value in
            if name == "--into" { library = value } else { isQuiet = true }
        }
        place = try arguments.operands(1...1, named: "the folder of the run")[0]
        data = DataOption(settings, library: library)
        self.isQuiet = isQuiet
    }

    func run() throws -> ExitCode { try InterruptibleStep.run(run) }

    private func run(isCancelled: @escaping @Sendable () -> Bool) throws -> ExitCode {
        let batch = try BatchRun(at: place, isCancelled: isCancelled)
        let merge = try BatchMerge(batch, try BatchPlan(batch), into: try data.folder())
        let isLive = !isQuiet && Terminal.isInteractive
        let summary = try merge.merge(isCancelled: isCancelled) { done, total in
            if isLive { Terminal.write("\rpart \(done) of \(total)\u{1B}[K", to: 2) }
        }
        if isLive { Terminal.write("\r\u{1B}[K", to: 2) }
        let changes = summary.changes
        if !isQuiet {
            Terminal.print(
                "\(changes.addedCount) added, \(changes.changedCount) changed, \(changes.unchangedCount) unchanged, "
                    + "\(changes.failureCount) failed; \(changes.analysisCount) new analyses, "
                    + "\(summary.spectraCount) new spectra")
            if changes.outdatedCount > 0 {
                Terminal.print(
                    "\(changes.outdatedCount) left out: the library knows a later state of the file")
            }
        }
        if isCancelled() { return .interrupted }
        guard summary.missing.isEmpty else {
            Terminal.complain(
                "\(summary.missing.count) parts have no results yet; run them and merge again: analyze-cli status"
            )
            return .someFailed
        }
        return .success
    }
}
