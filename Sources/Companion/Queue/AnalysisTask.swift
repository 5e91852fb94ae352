internal import Analyzer
internal import Foundation

/// A task that a worker has begun.
struct AnalysisTask: Sendable {
    var id: Int
    /// What was asked for when it was begun.
    var revision: Int
    var request: AnalysisRequest
    /// How often it was begun and not ended, this time included.
    var attempts: Int
    /// How often it was put off.
    var retries: Int

    var path: RelativePath { request.path }

    /// How often a program may die of a file before it is left alone. It may have died of something else: of Ctrl-\, of a
    /// lack of memory, of another file that it was at.
    static let mostAttempts = 5
    /// Whether the program has died of it often enough.
    var isPoisonous: Bool { attempts > Self.mostAttempts }

    /// How often a file that cannot be read at the moment is tried again.
    static let mostRetries = 3
    /// Seconds until it is tried again.
    var retryDelay: Double { min(3600, 3 * pow(4, Double(min(retries, 10)))) }
}
