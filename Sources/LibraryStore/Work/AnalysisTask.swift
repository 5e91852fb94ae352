internal import Analyzer
internal import Foundation

/// A task that a worker has started.
package struct AnalysisTask: Sendable {
    package var id: Int
    /// Revision of the request when the task was started.
    package var revision: Int
    package var request: AnalysisRequest
    /// Number of starts without an end, including the current one.
    package var attempts: Int
    /// Number of times it was postponed.
    package var retries: Int

    /// Number of times its analysis has crashed the program.
    package var crashes: Int
    /// Whether a process ended while analysing the file. If so, the file is analysed alone, after the others.
    package var isSuspect: Bool

    package var path: RelativePath { request.path }

    /// Number of crashes after which a file is given up. The second one happens while nothing else is being
    /// analysed.
    package static let mostCrashes = 2
    /// Whether its analysis has crashed the program too often.
    package var hasCrashedTooOften: Bool { crashes >= Self.mostCrashes }

    /// Number of times the process may be killed during the analysis before the file is postponed.
    private static let freeAttempts = 4

    /// Seconds to postpone a file whose analysis was started this often without an end.
    ///
    /// SIGKILL and power cuts are not evidence against a file. But a file that needs more memory than
    /// available gets the process killed each time, and must not keep a restarted host from its other work: 1
    /// minute, 4, 16, … up to a day.
    package static func delay(afterAttempts attempts: Int) -> Double {
        attempts <= freeAttempts ? 0 : min(86_400, 60 * pow(4, Double(min(attempts - freeAttempts - 1, 10))))
    }

    /// Maximum number of retries for a file that cannot be read at the moment.
    package static let mostRetries = 3
    /// Seconds until the next retry.
    package var retryDelay: Double { min(3600, 3 * pow(4, Double(min(retries, 10)))) }
}
