/// What a user may choose about the measurements.
public struct AnalysisSettings: Sendable, Hashable {
    /// A 10 ms window whose RMS value reaches this level in dBFS is sound, below it is silence.
    public var silenceThresholdDB = -60.0
    /// Leading or trailing silence shorter than this many seconds is reported as none.
    public var minimumSilenceSeconds = 0.05

    /// Measure loudness by libebur128 instead of by our own meter: the same numbers, many times slower.
    public var usesReferenceLoudness = false

    /// The defaults.
    public init() {}
}
