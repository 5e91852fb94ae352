import Foundation

/// Converts a power spectrum to the levels of the visualizer's bands.
///
/// A band shows its strongest component. If a band contains several bins, that is its largest bin, refined by the parabola
/// through it and its neighbours on the dB scale; if bands are narrower than the bins (the low ones), the spectrum is read at
/// the band's centre. Either way a sine shows its own level to within a few tenths of a dB wherever it lies between the bins;
/// the plain bin values of a Hann window are off by up to 1.42 dB.
final class BandLevels {
    private enum Source {
        /// The band is above the Nyquist frequency.
        case nothing
        /// The largest bin of a range.
        case peak(Range<Int>)
        /// The spectrum at a fractional bin.
        case point(bin: Int, offset: Float)
    }

    private let sources: [Source]
    private var readings: BandReadings
    /// Bands with fewer bins are read at their centre.
    private static let fewestBins = 3

    init(layout: BandLayout, sampleRate: Double, fftSize: Int) {
        let lastBin = fftSize / 2
        let hzPerBin = sampleRate / Double(fftSize)
        // A band is read from the same bins at every rate, though their frequencies differ by up to 0.5 %: with one bin more or less, its
        // level could differ by decibels.
        let usualHzPerBin = SpectrumAnalyzer.usualHzPerBin
        sources = (0..<layout.bandCount).map { band in
            let centreHz = layout.centreHz(ofBand: band)
            guard centreHz < sampleRate / 2 else { return .nothing }
            let first = min(lastBin, Int((layout.edgesHz[band] / usualHzPerBin).rounded(.up)))
            let end = min(lastBin + 1, Int((layout.edgesHz[band + 1] / usualHzPerBin).rounded(.up)))
            if end - first >= Self.fewestBins { return .peak(first..<end) }
            let nearest = max(1, min(lastBin - 1, Int((centreHz / usualHzPerBin).rounded())))
            return .point(bin: nearest, offset: Float(centreHz / hzPerBin - Double(nearest)))
        }
        readings = BandReadings(bandCount: layout.bandCount)
    }

    /// Appends a row of levels.
    /// - Parameter power: `fftSize / 2 + 1` bins; a full-scale sine on a bin has power 1.
    func append(power: UnsafeBufferPointer<Float>, to levels: inout [UInt8]) {
        read(power, into: &readings)
        readings.appendLevels(to: &levels)
    }

    private func read(_ power: UnsafeBufferPointer<Float>, into readings: inout BandReadings) {
        for (band, source) in sources.enumerated() {
            switch source {
            case .nothing: break
            case .point(let bin, let offset): Self.read(power, near: bin, offset, into: &readings, band)
            case .peak(let range): Self.read(power, in: range, into: &readings, band)
            }
        }
    }

    /// Reads the spectrum between the bins: on the parabola through the largest bin of a peak, so that the band nearest to a
    /// tone is the loudest; on a slope, on the line between the two bins.
    private static func read(
        _ power: UnsafeBufferPointer<Float>, near bin: Int, _ offset: Float,
        into readings: inout BandReadings,
        _ band: Int
    ) {
        var peak = bin
        if power[bin - 1] > power[peak] { peak = bin - 1 }
        if power[bin + 1] > power[peak] { peak = bin + 1 }
        if peak > 0, peak + 1 < power.count, power[peak - 1] < power[peak], power[peak + 1] < power[peak] {
            readings.set(
                band, .parabola, power[peak - 1], power[peak], power[peak + 1],
                distance: offset + Float(bin - peak))
        } else {
            let other = power[offset < 0 ? bin - 1 : bin + 1]
            readings.set(band, .line, other, power[bin], other, distance: abs(offset))
        }
    }

    /// Reads the height of the parabola at its vertex if the largest bin is a local maximum.
    private static func read(
        _ power: UnsafeBufferPointer<Float>, in range: Range<Int>, into readings: inout BandReadings,
        _ band: Int
    ) {
        var largest = range.lowerBound
        var value = power[largest]
        // Selections instead of branches, which are unpredictable on the slopes of a spectrum.
        for bin in range {
            let isLarger = power[bin] > value
            largest = isLarger ? bin : largest
            value = isLarger ? power[bin] : value
        }
        if largest > 0, largest + 1 < power.count, value > power[largest - 1], value > power[largest + 1] {
            readings.set(band, .vertex, power[largest - 1], value, power[largest + 1], distance: 0)
        } else {
            readings.set(band, .line, value, value, value, distance: 0)
        }
    }
}
