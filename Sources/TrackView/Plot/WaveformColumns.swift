import Analyzer

/// The waveform overview on the columns of a drawing.
enum WaveformColumns {
    /// The lowest and highest sample of each column, −1…1. A column holds every pixel of the overview that touches it,
    /// so that no peak is lost. Empty where there is no waveform.
    static func reduced(_ overview: WaveformOverview, to scale: TimeScale) -> [ClosedRange<Double>] {
        guard overview.samplesPerPixel > 0, overview.sampleRateHz > 0, overview.pixelCount > 0 else {
            return []
        }
        let pixelsPerSecond = Double(overview.sampleRateHz) / Double(overview.samplesPerPixel)
        let last = overview.pixelCount - 1
        func pixel(_ position: Double) -> Int { Int(max(0, min(Double(last), position))) }
        return (0..<scale.columnCount).map { column in
            let start = scale.seconds(at: column) * pixelsPerSecond
            let end = scale.seconds(at: column + 1) * pixelsPerSecond
            let first = pixel(start.rounded(.down))
            let final = max(first, pixel(end.rounded(.up) - 1))
            var low = Int8.max
            var high = Int8.min
            for pixel in first...final {
                low = min(low, overview.extremes[2 * pixel])
                high = max(high, overview.extremes[2 * pixel + 1])
            }
            return Double(min(low, high)) / 128...Double(max(low, high)) / 127
        }
    }
}
