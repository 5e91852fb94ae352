import Analyzer

/// The waveform overview on the columns of a drawing.
enum WaveformColumns {
    /// Returns the lowest and highest sample between two positions in seconds, −1…1; nil outside of the waveform.
    static func extremes(_ overview: WaveformOverview, from start: Double, to end: Double) -> ClosedRange<
        Double
    >? {
        guard overview.samplesPerPixel > 0, overview.sampleRateHz > 0, overview.pixelCount > 0 else {
            return nil
        }
        let pixelsPerSecond = Double(overview.sampleRateHz) / Double(overview.samplesPerPixel)
        let first = (start * pixelsPerSecond).rounded(.down)
        guard first >= 0, first < Double(overview.pixelCount) else { return nil }
        let last = max(first, min(Double(overview.pixelCount - 1), (end * pixelsPerSecond).rounded(.up) - 1))
        let pixels = overview.extremes[2 * Int(first)...2 * Int(last) + 1]
        guard let low = pixels.min(), let high = pixels.max() else { return nil }
        return range(low, high)
    }

    /// Converts extremes to −1…1, in whatever order they are: −1 / 127 is less than −1 / 128.
    private static func range(_ one: Int8, _ other: Int8) -> ClosedRange<Double> {
        let values = (Double(min(one, other)) / 128, Double(max(one, other)) / 127)
        return min(values.0, values.1)...max(values.0, values.1)
    }

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
            return range(low, high)
        }
    }
}
