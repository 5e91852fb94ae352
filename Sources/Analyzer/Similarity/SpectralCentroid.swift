import Foundation

/// The average centre of the spectrum on a logarithmic scale of frequency: bands count by their amplitude.
struct SpectralCentroid {
    /// Levels more than 50 dB below the loudest band do not count.
    private static let range = Int((50 / -VisualizerSpectra.floorDB * 255).rounded())
    /// The amplitude of each level.
    private static let amplitudes: [Float] = (0...255).map {
        Float(pow(10, Double($0) / 255 * -VisualizerSpectra.floorDB / 20))
    }

    private var sum = 0.0
    private var rowCount = 0

    /// Adds a row of the spectra, from its first band.
    mutating func add(_ row: Slice<UnsafeBufferPointer<UInt8>>) {
        let floor = max(0, Int(row.max() ?? 0) - Self.range)
        var weights: Float = 0
        var moments: Float = 0
        for (band, level) in row.enumerated() where Int(level) > floor {
            let weight = Self.amplitudes[Int(level)] - Self.amplitudes[floor]
            weights += weight
            moments += weight * Float(band)
        }
        guard weights > 0 else { return }
        rowCount += 1
        sum += Double(moments / weights)
    }

    /// The centre in Hz; nil without sound.
    var hertz: Double? {
        guard rowCount > 0 else { return nil }
        let ratio = BandLayout.highestHz / BandLayout.lowestHz
        let place = (sum / Double(rowCount) + 0.5) / Double(VisualizerSpectra.standardBandCount)
        return BandLayout.lowestHz * pow(ratio, place)
    }
}
