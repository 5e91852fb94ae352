package import Analyzer

/// A request to analyse a file.
package struct AnalysisRequest: Sendable {
    /// The file's path.
    package var path: RelativePath
    /// The priority.
    package var priority: AnalysisPriority
    /// The requested parts; stored parts are not computed again.
    package var parts: AnalysisParts = .all
    /// Whether to compute the parts again even if they are stored.
    package var isForced = false
    /// User settings for the measurements.
    package var settings = AnalysisSettings()
    /// The file's state as known to the requester. If it differs from the file being analysed now, the file
    /// is read again.
    package var file: FileState?

    /// Requests everything that is missing.
    package init(_ path: RelativePath, priority: AnalysisPriority, file: FileState? = nil) {
        self.path = path
        self.priority = priority
        self.file = file
    }
}
