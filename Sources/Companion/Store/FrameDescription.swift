/// What the visualizer frames of some audio are like, without the frames.
public struct FrameDescription: Sendable, Equatable {
    /// Rows a second.
    public var framesPerSecond: Int
    /// Columns.
    public var bandCount: Int
    /// Rows.
    public var frameCount: Int
    /// The version of the analyzer that made them.
    public var analyzerVersion: Int
}
