public import Analyzer

/// Options of a pass over a library.
public struct PassOptions: Sendable {
    /// The parts of the analyses to compute.
    public var parts: AnalysisParts = .all
    /// Whether to analyse everything again, regardless of what is stored.
    public var isForced = false
    /// Number of files analysed in parallel.
    public var jobs = 1
    /// User settings for the measurements.
    public var settings = AnalysisSettings()
    /// Files changed less than this many seconds ago are left for the next pass, as they may still be
    /// incomplete.
    public var settlingSeconds = 0.0

    /// Folders whose missing files the user has confirmed as deleted; nil is the music folder itself.
    public var confirmedRemovals: Set<RelativePath?> = []

    /// Collects the time spent in each stage; nil to measure no times.
    public var stageTimes: StageTimes?

    /// Whether to bind the data folder to this music folder even if it is bound to another one.
    public var rebinds = false

    /// Niceness of the threads, from 0 (normal priority) to 19 (lowest).
    public var niceness = 0

    /// Creates the default options.
    public init() {}
}
