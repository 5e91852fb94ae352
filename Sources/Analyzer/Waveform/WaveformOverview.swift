/// The shape of a track at a glance: the smallest and largest sample of the mono mix in each pixel.
///
/// The number of samples a pixel covers is a power of two, chosen so that a track of any length has at most
/// ``maximumPixelCount`` pixels.
public struct WaveformOverview: Sendable, Equatable {
    /// Most pixels an overview has.
    public static let maximumPixelCount = 4096

    /// Sample rate of the samples below, in Hz.
    public var sampleRateHz: Int
    /// Samples a pixel covers; the last pixel may cover fewer.
    public var samplesPerPixel: Int
    /// Pairs of minimum and maximum for each pixel, interleaved, −128…127 for −1.0…1.0.
    public var extremes: [Int8]

    /// Pixels.
    public var pixelCount: Int { extremes.count / 2 }

    /// Puts the parts together.
    public init(sampleRateHz: Int, samplesPerPixel: Int, extremes: [Int8]) {
        self.sampleRateHz = sampleRateHz
        self.samplesPerPixel = samplesPerPixel
        self.extremes = extremes
    }
}
