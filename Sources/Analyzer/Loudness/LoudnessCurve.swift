/// Momentary loudness over a track, each value dated by the middle of its 400 ms window.
///
/// Dating a value by the end of its window, as meters do, would shift every cue point by 0.2 s.
struct LoudnessCurve {
    /// Seconds between two values.
    static let hopSeconds = 0.1
    /// Time of the first value.
    static let firstSeconds = 0.2
    /// Loudness used for digital silence, in LUFS.
    static let silenceLUFS = -120.0

    /// Loudness in LUFS.
    let values: [Double]

    /// - Parameter momentaryEnergies: energy of the block from k · 0.1 s to k · 0.1 s + 0.4 s, for each k.
    init(momentaryEnergies: [Float]) {
        values = momentaryEnergies.map {
            $0 > 0 ? max(Self.silenceLUFS, Loudness.lufs(energy: Double($0))) : Self.silenceLUFS
        }
    }

    /// Returns the time of a value.
    static func seconds(of index: Int) -> Double { firstSeconds + Double(index) * hopSeconds }

    /// Returns the index of the value nearest to a time.
    func index(atSeconds seconds: Double) -> Int {
        let nearest = ((seconds - Self.firstSeconds) / Self.hopSeconds).rounded()
        return max(0, min(values.count - 1, Int(nearest)))
    }

    /// Returns the moving average over `2 · reach + 1` values, on the LU scale.
    func smoothed(reach: Int) -> [Double] {
        // Ring buffer of prefix sums, indexed modulo its length.
        let window = 2 * reach + 2
        var sums = [Double](repeating: 0, count: window)
        var summed = 0
        return values.indices.map { index in
            let low = max(0, index - reach)
            let high = min(values.count - 1, index + reach)
            while summed <= high {
                sums[(summed + 1) % window] = sums[summed % window] + values[summed]
                summed += 1
            }
            return (sums[(high + 1) % window] - sums[low % window]) / Double(high - low + 1)
        }
    }
}
