import Foundation

/// The visualizer's logarithmic frequency bands between 40 Hz and 16 kHz.
public struct BandLayout: Sendable {
    /// Lower edge of the first band in Hz.
    public static let lowestHz = 40.0
    /// Upper edge of the last band in Hz.
    public static let highestHz = 16_000.0

    /// Band edges in Hz, ascending; one more than the number of bands.
    public let edgesHz: [Double]

    /// Creates a layout with a number of bands.
    public init(bandCount: Int = VisualizerSpectra.standardBandCount) {
        edgesHz = (0...bandCount).map {
            Self.lowestHz * pow(Self.highestHz / Self.lowestHz, Double($0) / Double(bandCount))
        }
    }

    /// Number of bands.
    public var bandCount: Int { edgesHz.count - 1 }

    /// Returns the band of a frequency; nil outside the layout.
    public func band(atHz frequency: Double) -> Int? {
        guard frequency >= Self.lowestHz, frequency < Self.highestHz else { return nil }
        let ratio = log(frequency / Self.lowestHz) / log(Self.highestHz / Self.lowestHz)
        return min(bandCount - 1, Int(ratio * Double(bandCount)))
    }

    /// Returns the geometric centre of a band in Hz.
    public func centreHz(ofBand band: Int) -> Double { sqrt(edgesHz[band] * edgesHz[band + 1]) }
}
