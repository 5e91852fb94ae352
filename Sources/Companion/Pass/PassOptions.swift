public import Analyzer

/// What a pass over a library is to do.
public struct PassOptions: Sendable {
    /// Which parts of the analyses to make.
    public var parts: AnalysisParts = .all
    /// Analyse everything again, whatever is known.
    public var isForced = false
    /// Files analysed at the same time.
    public var jobs = 1
    /// What a user may choose about the measurements.
    public var settings = AnalysisSettings()
    /// Files changed less than this many seconds ago are left for the next pass: they may still be being written.
    public var settlingSeconds = 0.0

    /// Where the time of each stage is added up; nil takes no times.
    public var stageTimes: StageTimes?

    /// How far the threads step back behind everything else that the machine does, from 0 (not at all) to 19.
    public var niceness = 0

    /// The defaults.
    public init() {}
}
