/// Which parts of an analysis to make.
public struct AnalysisParts: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int
    /// Takes the bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Loudness, silence, cue points, tempo, key and waveform: ``TrackProfile``.
    public static let profile = AnalysisParts(rawValue: 1)
    /// Visualizer frames: ``VisualizerFrames``.
    public static let frames = AnalysisParts(rawValue: 2)
    /// Everything.
    public static let all: AnalysisParts = [.profile, .frames]
}
