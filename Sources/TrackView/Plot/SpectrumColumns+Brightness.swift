internal import Analyzer
import Foundation

extension SpectrumColumns {
    /// Centres of gravity, in octaves, between which the sound goes from dull to bright.
    private static let dullHz = 120.0
    private static let brightHz = 5_000.0
    /// Music falls by about this much an octave; without it everything would be dull.
    private static let tiltDBPerOctave = 3.0

    /// How bright each column sounds, 0…1, by the centre of gravity of its spectrum on the scale of octaves; nil for
    /// columns that are silent.
    func brightnessOfColumns() -> [Double?] {
        let layout = BandLayout(bandCount: bandCount)
        let octaves = (0..<bandCount).map { log2(layout.centreHz(ofBand: $0) / BandLayout.lowestHz) }
        // Amplitude a level stands for, by level and then by the tilt of its band.
        let amplitudes = (0...255).map { pow(10, Self.decibels(Float($0)) / 20) }
        let tilts = octaves.map { pow(10, Self.tiltDBPerOctave * $0 / 20) }
        let dull = log2(Self.dullHz / BandLayout.lowestHz)
        let bright = log2(Self.brightHz / BandLayout.lowestHz)
        return (0..<levels.count / bandCount).map { column in
            var sum = 0.0
            var moment = 0.0
            for band in 0..<bandCount {
                let level = level(column: column, band: band)
                guard level >= 1 else { continue }
                let weight = amplitudes[Int(level)] * tilts[band]
                sum += weight
                moment += weight * octaves[band]
            }
            guard sum > 0 else { return nil }
            return max(0, min(1, (moment / sum - dull) / (bright - dull)))
        }
    }
}
