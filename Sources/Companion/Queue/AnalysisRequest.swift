public import Analyzer

/// The wish that a file be analysed.
public struct AnalysisRequest: Sendable {
    /// Where the file is.
    public var path: RelativePath
    /// How soon.
    public var priority: AnalysisPriority
    /// What is wanted; what is stored already is not made again.
    public var parts: AnalysisParts = .all
    /// Make it again, whatever is stored.
    public var isForced = false
    /// What a user may choose about the measurements.
    public var settings = AnalysisSettings()
    /// The file as it is known to whoever asks. If it differs from what is being analysed at the moment, the file is looked at
    /// once more.
    public var file: FileState?

    /// Asks for everything that is missing.
    public init(_ path: RelativePath, priority: AnalysisPriority, file: FileState? = nil) {
        self.path = path
        self.priority = priority
        self.file = file
    }
}
