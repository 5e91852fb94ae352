/// Spectra to draw in time with the music: a matrix of `frameCount` rows and `bandCount` columns.
///
/// Row k describes the music at exactly `k / framesPerSecond` seconds on the gapless timeline; there are
/// `ceil(duration × framesPerSecond)` rows. Column b is a band of the log-frequency scale of ``BandLayout``.
/// A value is a level on a dB scale: 0 is ``floorDB`` or below, 255 is a full-scale sine.
public struct VisualizerFrames: Sendable, Equatable {
    /// Rows a second.
    public static let standardFramesPerSecond = 30
    /// Columns.
    public static let standardBandCount = 64
    /// Level in dBFS (a full-scale sine is 0) that the value 0 stands for.
    public static let floorDB = -90.0

    /// Rows a second.
    public var framesPerSecond: Int
    /// Columns.
    public var bandCount: Int
    /// `frameCount × bandCount` levels, row by row.
    public var levels: [UInt8]

    /// Rows.
    public var frameCount: Int { bandCount > 0 ? levels.count / bandCount : 0 }

    /// Puts the parts together.
    public init(
        framesPerSecond: Int = standardFramesPerSecond, bandCount: Int = standardBandCount, levels: [UInt8]
    ) {
        self.framesPerSecond = framesPerSecond
        self.bandCount = bandCount
        self.levels = levels
    }
}
