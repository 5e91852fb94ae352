import Foundation

/// How clearly onsets repeat at one distance: the largest value of their autocorrelation between 60 and 200 BPM, 0…1.
///
/// Pulse clarity of Lartillot, Eerola, Toiviainen and Fornari (ISMIR 2008), with the autocorrelation averaged over windows of
/// 8.5 s before its maximum is taken, so that the pulse must also be steady.
struct PulseClarity {
    private static let windowLength = 256
    /// Distances in rows: 0.3 to 1 s.
    private static let lags = 9...30

    private var rises: [Float] = []
    private var before: Float = 0
    private var last: Float = 0
    private var correlations = [Double](repeating: 0, count: lags.count)
    private var energy = 0.0

    init() { rises.reserveCapacity(Self.windowLength) }

    /// Adds the mean rise of the bands in the next row.
    mutating func add(_ rise: Float) {
        // Onset distances are rarely a whole number of rows: without smoothing they would not correlate.
        rises.append(0.25 * before + 0.5 * last + 0.25 * rise)
        before = last
        last = rise
        guard rises.count == Self.windowLength else { return }
        addWindow()
        rises.removeFirst(Self.windowLength / 2)
    }

    private mutating func addWindow() {
        let mean = rises.reduce(0, +) / Float(rises.count)
        rises.withUnsafeBufferPointer { rises in
            var squares: Float = 0
            for rise in rises { squares += (rise - mean) * (rise - mean) }
            energy += Double(squares) / Double(rises.count)
            for (index, lag) in Self.lags.enumerated() {
                var sum: Float = 0
                for row in lag..<rises.count { sum += (rises[row] - mean) * (rises[row - lag] - mean) }
                correlations[index] += Double(sum) / Double(rises.count - lag)
            }
        }
    }

    /// The clarity, 0…1; nil for less than a window, or without onsets.
    var value: Double? {
        guard energy > 0, let strongest = correlations.max() else { return nil }
        return min(1, max(0, strongest / energy))
    }
}
