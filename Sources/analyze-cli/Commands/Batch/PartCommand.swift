import BatchAnalysis
import Companion
import CommandLineProgram

/// `analyze-cli part`: analyses one part of a plan.
struct PartCommand {
    private let batch: BatchRun
    private let part: Int
    private let isForced: Bool
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var part: Int?
        var flags: Set<String> = []
        try arguments.takeOptions(flags: ["--force", "--quiet"], valued: ["--part"]) { name, value in
            if name == "--part" {
                part = try OptionValue.integer(value, in: 0...1_000_000_000, for: name)
            } else {
                flags.insert(name)
            }
        }
        batch = BatchRun(path: try arguments.operands(1...1, named: "the folder of the run")[0])
        guard let part else { throw UsageError(message: "missing option: --part N, the number of the part") }
        self.part = part
        isForced = flags.contains("--force")
        isQuiet = flags.contains("--quiet")
    }

    func run() throws -> ExitCode {
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        let runner = PartRunner(batch, try BatchPlan(batch)) { cancellation.isCancelled }
        if !isForced, runner.isComplete(part: part) {
            if !isQuiet { Terminal.complain("part \(part) is complete; --force repeats it") }
            return .success
        }
        do {
            let report = try runner.run(part: part)
            if !isQuiet { Terminal.complain(Self.text(report)) }
            return .success
        } catch let error as BatchError where error.code == .cancelled {
            Terminal.complain("analyze-cli: \(error)")
            return .interrupted
        }
    }

    private static func text(_ report: PartReport) -> String {
        "part \(report.part): \(report.analyzedCount) analysed, \(report.linkedCount) identified by audio, "
            + "\(report.failedCount) failed; \(Duration.clock(report.audioSeconds)) of audio in "
            + "\(Int(report.coreSeconds.rounded(.up))) s of processor time"
    }
}
