/// User-configurable settings of the measurements.
public struct AnalysisSettings: Sendable, Hashable {
    /// Level in dBFS from which the RMS value of a 10 ms window counts as sound.
    public var silenceThresholdDB = -60.0
    /// Leading or trailing silence shorter than this many seconds is reported as 0.
    public var minimumSilenceSeconds = 0.05

    /// Measure loudness with libebur128 instead of the built-in meter, which is many times slower. The results are the same
    /// except for the loudness range, which libebur128 derives from one short-term value per second instead of ten.
    public var usesReferenceLoudness = false

    /// Creates the default settings.
    public init() {}
}
