package import Analyzer
package import LibraryStore

/// Options of a pass over a library.
package struct PassOptions: Sendable {
    /// The parts of the analyses to compute.
    package var parts: AnalysisParts = .all
    /// Whether to analyse everything again, regardless of what is stored.
    package var isForced = false
    /// Number of files analysed in parallel.
    package var jobs = 1
    /// User settings for the measurements.
    package var settings = AnalysisSettings()
    /// Files changed less than this many seconds ago are left for the next pass, as they may still be
    /// incomplete.
    package var settlingSeconds = 0.0

    /// Folders whose missing files the user has confirmed as deleted; nil is the music folder itself.
    package var confirmedRemovals: Set<RelativePath?> = []

    /// Collects the time spent in each stage; nil to measure no times.
    package var stageTimes: StageTimes?

    /// Whether to bind the data folder to this music folder even if it is bound to another one.
    package var rebinds = false

    /// Niceness of the threads, from 0 (normal priority) to 19 (lowest).
    package var niceness = 0

    /// Creates the default options.
    package init() {}
}
