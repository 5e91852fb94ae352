import Foundation

/// The part of a track after its main part, classified by how its loudness falls.
struct Tail {
    /// How the track ends.
    let ending: CuePoints.Ending
    /// Fraction of the loudness curve's variance explained by a straight line, 0…1: near 1 for a fade.
    let straightness: Double
    /// Classifies the tail between the end of the main part and the cue-out.
    /// - Parameter reference: the track's integrated loudness in LUFS.
    init(curve: LoudnessCurve, reference: Double, mainEnd: Double, cueOut: Double) {
        let length = cueOut - mainEnd
        let end = curve.index(atSeconds: cueOut - 0.2)
        let lastLU = curve.values[end] - reference
        guard length >= Self.shortest,
            !Self.isFloor(after: mainEnd, until: end, curve: curve, reference: reference)
        else {
            ending = .hard
            straightness = 1
            return
        }
        let line = Self.line(through: curve.values[curve.index(atSeconds: mainEnd)...max(end, 0)])
        straightness = line.straightness
        let fallLU = -line.slope * length
        if lastLU > -20, fallLU < 12 {
            ending = .sustained
        } else if line.straightness > 0.8, line.slope < -Self.slowestFade {
            ending = .fade
        } else if length > CuePointFinder.longestOverlap {
            ending = .longTail
        } else {
            ending = .fade
        }
    }

    /// Whether the main part stops abruptly and is followed by a steady sound far below it: the noise or hum of the recording,
    /// which is not part of the ending.
    private static func isFloor(
        after mainEnd: Double, until end: Int, curve: LoudnessCurve, reference: Double
    ) -> Bool {
        let start = curve.index(atSeconds: mainEnd + shortest)
        guard end - start >= shortestFloor else { return false }
        let rest = curve.values[start...end]
        // An occasional crackle does not make it music.
        let sorted = rest.sorted()
        let high = sorted[(sorted.count - 1) * 9 / 10]
        let low = sorted[(sorted.count - 1) / 10]
        guard sorted[sorted.count - 1] <= reference + highestFloorLU, high - low <= floorSpreadLU else {
            return false
        }
        let seconds = Double(rest.count) * LoudnessCurve.hopSeconds
        return abs(line(through: rest).slope) * seconds <= floorSpreadLU
    }

    /// Minimum number of values of a floor: half a second.
    private static let shortestFloor = 5
    /// A floor is at least this far below the track's loudness; held quiet notes may be above.
    private static let highestFloorLU = -28.0
    /// Maximum variation of a floor in LU.
    private static let floorSpreadLU = 4.0
    /// A tail shorter than this many seconds counts as an abrupt end.
    private static let shortest = 1.0
    /// LU per second below which a falling tail is a quiet passage rather than a fade.
    private static let slowestFade = 1.0

    /// Fits a least-squares line through equally spaced loudness values; the slope is in LU per second.
    private static func line(through values: ArraySlice<Double>) -> (slope: Double, straightness: Double) {
        let count = Double(values.count)
        guard count >= 3 else { return (0, 0) }
        let meanTime = (count - 1) / 2 * LoudnessCurve.hopSeconds
        let mean = values.reduce(0, +) / count
        var covariance = 0.0
        var timeVariance = 0.0
        var variance = 0.0
        for (index, value) in values.enumerated() {
            let time = Double(index) * LoudnessCurve.hopSeconds - meanTime
            covariance += time * (value - mean)
            timeVariance += time * time
            variance += (value - mean) * (value - mean)
        }
        let slope = covariance / timeVariance
        return (slope, variance > 0 ? covariance * covariance / (timeVariance * variance) : 0)
    }
}
