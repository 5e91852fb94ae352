public import Analyzer

/// A request to analyse a file.
public struct AnalysisRequest: Sendable {
    /// The file's path.
    public var path: RelativePath
    /// The priority.
    public var priority: AnalysisPriority
    /// The requested parts; stored parts are not computed again.
    public var parts: AnalysisParts = .all
    /// Whether to compute the parts again even if they are stored.
    public var isForced = false
    /// User settings for the measurements.
    public var settings = AnalysisSettings()
    /// The file's state as known to the requester. If it differs from the file being analysed now, the file
    /// is read again.
    public var file: FileState?

    /// Requests everything that is missing.
    public init(_ path: RelativePath, priority: AnalysisPriority, file: FileState? = nil) {
        self.path = path
        self.priority = priority
        self.file = file
    }
}
