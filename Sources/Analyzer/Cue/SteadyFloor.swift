/// A steady sound that follows the main part until the end: noise or hum of the recording, or a held quiet note.
struct SteadyFloor {
    /// Loudness relative to the track's, in LU.
    let levelLU: Double
    /// Range in LU that contains 80 % of its loudness values.
    let spreadLU: Double
    /// Time in seconds from which the loudness stays near the floor.
    let startSeconds: Double

    /// Whether it is so quiet, or so steady, that it is taken for the noise of the recording and not for music.
    var isNoise: Bool {
        levelLU <= Self.quietLU || levelLU <= Self.highestLU && spreadLU <= Self.steadyLU
    }

    /// Finds the floor between the end of the main part and the cue-out, in seconds; nil if the loudness keeps changing.
    /// - Parameter reference: the track's integrated loudness in LUFS.
    init?(loudness: LoudnessCurve, reference: Double, mainEnd: Double, cueOut: Double) {
        // Including some of the main part, as the last change may be there.
        let first = loudness.index(atSeconds: mainEnd - 1)
        let last = loudness.index(atSeconds: cueOut - LoudnessCurve.firstSeconds)
        guard last - first >= Self.shortestValues else { return nil }
        let floor = Self.quantile(0.5, loudness.values[last - Self.shortestValues + 1...last])
        // The last change that is not a crackle.
        var start = first
        var run = 0
        for index in (first...last).reversed() {
            run = loudness.values[index] > floor + Self.marginLU ? run + 1 : 0
            if run == Self.longestCrackle {
                start = index + run
                break
            }
        }
        guard last - start + 1 >= Self.shortestValues else { return nil }
        let values = loudness.values[start...last]
        startSeconds = LoudnessCurve.seconds(of: start)
        spreadLU = Self.quantile(0.9, values) - Self.quantile(0.1, values)
        levelLU = Self.quantile(0.5, values) - reference
        let seconds = Double(values.count) * LoudnessCurve.hopSeconds
        guard spreadLU <= Self.largestSpreadLU,
            abs(Tail.line(through: values).slope) * seconds <= Self.largestSpreadLU
        else { return nil }
    }

    /// Level at or below which a steady sound is a floor, in LU relative to the track.
    private static let quietLU = -28.0
    /// Level up to which a very steady sound is a floor. Held notes may be above.
    private static let highestLU = -23.0
    private static let steadyLU = 2.0
    private static let largestSpreadLU = 4.0
    private static let marginLU = 3.0
    /// Minimum number of loudness values of a floor: half a second.
    private static let shortestValues = 5
    /// A louder sound within the floor is a crackle if it affects fewer loudness values: up to 0.2 s.
    private static let longestCrackle = 7

    private static func quantile(_ share: Double, _ values: ArraySlice<Double>) -> Double {
        let sorted = values.sorted()
        return sorted[Int(Double(sorted.count - 1) * share)]
    }
}
