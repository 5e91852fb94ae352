import Foundation

/// Turns a power spectrum into the levels of the visualizer's bands.
///
/// A band shows the strongest component in it. Where a band holds several bins, that is its largest bin, refined by
/// the parabola through it and its neighbours on the dB scale; where bands are narrower than the bins (the low ones),
/// the spectrum is read at the band's centre. Either way a sine shows its own level to within a few tenths of a dB
/// wherever it lies between the bins, which the plain bin values of a Hann window miss by up to 1.42 dB.
struct BandLevels {
    private enum Source {
        /// The band lies above the Nyquist frequency.
        case nothing
        /// The largest bin of a range.
        case peak(Range<Int>)
        /// The spectrum at a fractional bin.
        case point(bin: Int, offset: Float)
    }

    private let sources: [Source]
    /// Bands with fewer bins than this read the spectrum at their centre.
    private static let fewestBins = 3

    /// Decibels below which a bin counts as empty, so that the parabola stays tame beside spectral zeros.
    private static let emptyDB: Float = -120

    init(layout: BandLayout, sampleRate: Double, fftSize: Int) {
        let hzPerBin = sampleRate / Double(fftSize)
        let lastBin = fftSize / 2
        sources = (0..<layout.bandCount).map { band in
            let centre = layout.centreHz(ofBand: band) / hzPerBin
            guard layout.centreHz(ofBand: band) < sampleRate / 2 else { return .nothing }
            let first = Int((layout.edgesHz[band] / hzPerBin).rounded(.up))
            let end = min(lastBin + 1, Int((layout.edgesHz[band + 1] / hzPerBin).rounded(.up)))
            if end - first >= Self.fewestBins { return .peak(first..<end) }
            let nearest = max(1, min(lastBin - 1, Int(centre.rounded())))
            return .point(bin: nearest, offset: Float(centre - Double(nearest)))
        }
    }

    /// Appends a row of levels.
    /// - Parameter power: `fftSize / 2 + 1` bins; a full-scale sine on a bin has power 1.
    func append(power: UnsafeBufferPointer<Float>, to levels: inout [UInt8]) {
        for source in sources {
            switch source {
            case .nothing: levels.append(0)
            case .point(let bin, let offset):
                levels.append(Self.level(ofDB: Self.interpolated(power, bin, at: offset)))
            case .peak(let range):
                var largest = range.lowerBound
                for bin in range where power[bin] > power[largest] { largest = bin }
                levels.append(Self.level(ofDB: Self.refined(power, largest)))
            }
        }
    }

    private static func decibels(_ power: Float) -> Float {
        power > 1e-12 ? 10 * log10f(power) : emptyDB
    }

    /// The spectrum between the bins, on the dB scale.
    ///
    /// Within a peak all bands read the same parabola, the one through its largest bin, so that the band nearest to a
    /// tone is the loudest; on a slope the line between the two bins is read.
    private static func interpolated(_ power: UnsafeBufferPointer<Float>, _ bin: Int, at offset: Float) -> Float {
        var peak = bin
        for neighbour in [bin - 1, bin + 1] where power[neighbour] > power[peak] { peak = neighbour }
        let isPeak = peak > 0 && peak + 1 < power.count && power[peak - 1] < power[peak] && power[peak + 1] < power[peak]
        guard isPeak else {
            let other = offset < 0 ? bin - 1 : bin + 1
            return decibels(power[bin]) + abs(offset) * (decibels(power[other]) - decibels(power[bin]))
        }
        let left = decibels(power[peak - 1])
        let middle = decibels(power[peak])
        let right = decibels(power[peak + 1])
        let distance = offset + Float(bin - peak)
        let value = middle + distance * (right - left) / 2 + distance * distance * ((right + left) / 2 - middle)
        // Between the bins the window's main lobe rises at most 1.42 dB above them.
        return min(value, middle + 1.42)
    }

    /// Height of the parabola at its vertex, where a bin is a local maximum.
    private static func refined(_ power: UnsafeBufferPointer<Float>, _ bin: Int) -> Float {
        guard bin > 0, bin + 1 < power.count, power[bin] > power[bin - 1], power[bin] > power[bin + 1] else {
            return decibels(power[bin])
        }
        let left = decibels(power[bin - 1])
        let middle = decibels(power[bin])
        let right = decibels(power[bin + 1])
        let curvature = left - 2 * middle + right
        guard curvature < 0 else { return middle }
        let offset = (left - right) / (2 * curvature)
        return middle - (left - right) * offset / 4
    }

    private static func level(ofDB decibels: Float) -> UInt8 {
        let floor = Float(VisualizerFrames.floorDB)
        return UInt8(max(0, min(255, ((decibels - floor) / -floor * 255).rounded())))
    }
}
