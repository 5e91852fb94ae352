import BatchAnalysis
import CommandLineProgram

/// `analyze-cli part`: analyses one part of a plan.
struct PartCommand {
    private let place: String
    private let part: Int
    private let crashedTrack: Int?
    private let isForced: Bool
    private let isQuiet: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var part: Int?
        var crashedTrack: Int?
        var flags: Set<String> = []
        try arguments.takeOptions(flags: ["--force", "--quiet"], valued: ["--part", "--note-crash"]) {
            name, value in
            switch name {
            case "--part": part = try OptionValue.integer(value, in: 0...1_000_000_000, for: name)
            case "--note-crash":
                crashedTrack = try OptionValue.integer(value, in: 0...BatchPlanner.largestPartSize, for: name)
            default: flags.insert(name)
            }
        }
        place = try arguments.operands(1...1, named: "the folder of the run")[0]
        guard let part else { throw UsageError(message: "missing option: --part N, the number of the part") }
        self.part = part
        self.crashedTrack = crashedTrack
        isForced = flags.contains("--force")
        isQuiet = flags.contains("--quiet")
    }

    func run() throws -> ExitCode { try InterruptibleStep.run(run) }

    private func run(isCancelled: @escaping @Sendable () -> Bool) throws -> ExitCode {
        let batch = try BatchRun(at: place, isCancelled: isCancelled)
        let (place, part) = (batch.place, part)
        let runner = PartRunner(
            batch, try BatchPlan(batch),
            noteCrash: { ["analyze-cli", "part", place, "--part", "\(part)", "--note-crash", "\($0)"] },
            isCancelled: isCancelled)
        if let crashedTrack {
            let path = try runner.noteCrash(ofTrack: crashedTrack, part: part)
            Terminal.complain(
                "analyze-cli: \(Terminal.harmless(path)): its analysis has crashed the program; run part \(part) again, "
                    + "which leaves it out")
            return .cannotRun
        }
        if !isForced, try runner.isComplete(part: part) {
            if !isQuiet { Terminal.complain("part \(part) is complete; --force repeats it") }
            return .success
        }
        let report = try runner.run(part: part)
        if !isQuiet { Terminal.complain(Self.text(report)) }
        return .success
    }

    private static func text(_ report: PartReport) -> String {
        "part \(report.part): \(report.analyzedCount) analysed, \(report.linkedCount) identified by audio, "
            + "\(report.failedCount) failed; \(Duration.clock(report.audioSeconds)) of audio in "
            + "\(Int(report.coreSeconds.rounded(.up))) s of processor time"
    }
}
