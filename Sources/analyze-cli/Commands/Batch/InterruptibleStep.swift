import BatchAnalysis
import CommandLineProgram
import Companion

/// A step of a batch that Ctrl-C ends.
enum InterruptibleStep {
    /// Runs a step.
    /// - Parameter body: gets a function that returns whether Ctrl-C was pressed.
    /// - Returns: the exit code of the body, or that of an interruption if it was cancelled.
    static func run(
        _ body: (_ isCancelled: @escaping @Sendable () -> Bool) throws -> ExitCode
    ) throws -> ExitCode {
        let cancellation = PassCancellation()
        let interruption = InterruptionHandler { cancellation.cancel() }
        defer { interruption.end() }
        do {
            return try body { cancellation.isCancelled }
        } catch let error as BatchError where error.code == .cancelled {
            Terminal.complain("analyze-cli: \(error)")
            return .interrupted
        }
    }
}
