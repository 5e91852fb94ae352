import Analyzer
import CommandLineProgram
import Foundation

/// Output of `--profile`: the share of each stage in a pass.
struct StageProfile {
    private let times: [(stage: StageTimes.Stage, seconds: Double)]

    init(_ times: StageTimes) { self.times = times.seconds }

    /// Prints a line for each stage to standard error, like the progress.
    func print() {
        let total = times.reduce(0) { $0 + $1.seconds }
        var text = "Thread time per stage, in seconds:\n"
        for (stage, seconds) in times {
            let share = total > 0 ? seconds / total * 100 : 0
            let name = "\(stage)".padding(toLength: 12, withPad: " ", startingAt: 0)
            text += "  \(name)" + String(format: "%9.3f  %5.1f %%\n", seconds, share)
        }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
