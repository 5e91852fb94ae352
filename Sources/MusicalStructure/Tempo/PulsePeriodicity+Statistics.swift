import Foundation

extension PulsePeriodicity {
    /// Number of values of ``statistics``.
    package static let statisticCount = 36
    /// Distances between onsets that count, in seconds.
    private static let shortestLag = 0.15
    private static let longestLag = 4.0

    /// How strongly onsets repeat at different distances, for comparing tracks: the largest autocorrelation of all bands in each of 36
    /// ranges of lags, whose centres rise by equal ratios from 0.15 to 4 s.
    package var statistics: [Float] {
        let values = autocorrelations[Self.groupCount - 1]
        let ratio = pow(Self.longestLag / Self.shortestLag, 1 / Double(Self.statisticCount - 1))
        func firstLag(ofRange range: Int) -> Int {
            Int((Self.shortestLag * pow(ratio, Double(range) - 0.5) * framesPerSecond).rounded(.up))
        }
        return (0..<Self.statisticCount).map { range in
            let first = firstLag(ofRange: range)
            // Short lags can be closer than frames.
            let end = max(first + 1, firstLag(ofRange: range + 1))
            return values[min(first, values.count)..<min(end, values.count)].max() ?? 0
        }
    }
}
