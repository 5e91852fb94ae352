/// The parts of an analysis to compute.
public struct AnalysisParts: OptionSet, Sendable, Hashable {
    /// The option bits.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Loudness, silence, cue points, tempo, key and waveform: ``TrackProfile``.
    public static let profile = AnalysisParts(rawValue: 1)
    /// Visualizer frames: ``VisualizerSpectra``.
    public static let frames = AnalysisParts(rawValue: 2)
    /// All parts.
    public static let all: AnalysisParts = [.profile, .frames]
}
