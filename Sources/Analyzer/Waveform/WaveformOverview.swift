/// The shape of a track at a glance: the minimum and maximum sample of the mono mix for each pixel.
///
/// The number of samples per pixel is a power of two, chosen so that a track of any length has at most ``maximumPixelCount``
/// pixels.
public struct WaveformOverview: Sendable, Equatable {
    /// Maximum number of pixels.
    public static let maximumPixelCount = 4096

    /// Sample rate of the samples below, in Hz.
    public var sampleRateHz: Int
    /// Samples per pixel; the last pixel may cover fewer.
    public var samplesPerPixel: Int
    /// Interleaved minimum and maximum of each pixel, −128…127 for −1.0…1.0.
    public var extremes: [Int8]

    /// Number of pixels.
    public var pixelCount: Int { extremes.count / 2 }

    /// Memberwise initializer.
    public init(sampleRateHz: Int, samplesPerPixel: Int, extremes: [Int8]) {
        self.sampleRateHz = sampleRateHz
        self.samplesPerPixel = samplesPerPixel
        self.extremes = extremes
    }
}
