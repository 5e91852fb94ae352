/// Spectra for display in sync with the music: a matrix of `frameCount` rows and `bandCount` columns.
///
/// Row k describes the music at exactly `k / framesPerSecond` seconds on the gapless timeline; there are `ceil(duration ×
/// framesPerSecond)` rows. Column b is a band of the log-frequency scale of ``BandLayout``. A value is a level on a dB scale: 0
/// is ``floorDB`` or below, 255 is a full-scale sine.
public struct VisualizerSpectra: Sendable, Equatable {
    /// Default number of rows per second.
    public static let standardFramesPerSecond = 30
    /// Default number of bands.
    public static let standardBandCount = 64
    /// Level in dBFS (a full-scale sine is 0) of the value 0.
    public static let floorDB = -90.0

    /// Rows per second.
    public var framesPerSecond: Int
    /// Bands per row.
    public var bandCount: Int
    /// `frameCount × bandCount` levels, row by row.
    public var levels: [UInt8]

    /// Number of rows.
    public var frameCount: Int { bandCount > 0 ? levels.count / bandCount : 0 }

    /// Memberwise initializer.
    public init(
        framesPerSecond: Int = standardFramesPerSecond, bandCount: Int = standardBandCount, levels: [UInt8]
    ) {
        self.framesPerSecond = framesPerSecond
        self.bandCount = bandCount
        self.levels = levels
    }
}
