import BatchAnalysis
import CommandLineProgram
import Foundation

/// `analyze-cli status`: how far a run is.
struct StatusCommand {
    private let batch: BatchRun
    private let price: Double?
    private let flags: Set<String>

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var price: Double?
        var flags: Set<String> = []
        try arguments.takeOptions(flags: ["--json", "--pending"], valued: ["--core-hour-price"]) {
            name, value in
            if name == "--core-hour-price" {
                price = try OptionValue.number(value, in: 0...1_000_000, for: name)
            } else {
                flags.insert(name)
            }
        }
        batch = try BatchRun(at: try arguments.operands(1...1, named: "the folder of the run")[0])
        self.price = price
        self.flags = flags
    }

    func run() throws -> ExitCode {
        let status = try BatchStatus(batch, try BatchPlan(batch), coreHourPrice: price)
        if flags.contains("--json") {
            Terminal.print(try JSONLine.text(status))
        } else if flags.contains("--pending") {
            for part in status.pending { Terminal.print("\(part)") }
        } else {
            for line in Self.lines(status) { Terminal.print(line) }
        }
        return .success
    }

    private static func lines(_ status: BatchStatus) -> [String] {
        var lines = [
            "parts    \(status.partCount - status.pending.count) of \(status.partCount) complete",
            "tracks   \(status.doneCount) of \(status.trackCount): \(status.analyzedCount) analysed, "
                + "\(status.linkedCount) identified by audio, \(status.failedCount) failed",
        ]
        for (code, count) in status.failures.sorted(by: { $0.key < $1.key }) {
            lines.append("failed   \(count) \(Terminal.harmless(code))")
        }
        if let rate = status.tracksPerSecond { lines.append(String(format: "rate     %.1f tracks/s", rate)) }
        if let seconds = status.coreSecondsPerTrack {
            lines.append(
                String(format: "cores    %.3f s per track, %.2f h in all", seconds, status.coreSeconds / 3600)
            )
        }
        if let cost = status.cost { lines.append(String(format: "cost     %.2f", cost)) }
        return lines
    }
}
