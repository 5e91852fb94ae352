import Foundation

/// What follows the main part of a track, judged by how its loudness falls.
struct Tail {
    /// How the track ends.
    let ending: CuePoints.Ending
    /// Share of the loudness curve's variance that a straight line explains, 0…1: near 1 for a fade.
    let straightness: Double

    /// Judges the tail between the last loud moment and the cue-out.
    /// - Parameter reference: the track's own loudness in LUFS.
    init(curve: LoudnessCurve, reference: Double, mainEnd: Double, cueOut: Double) {
        let length = cueOut - mainEnd
        let end = curve.index(atSeconds: cueOut - 0.2)
        let lastLU = curve.values[end] - reference
        guard length >= Self.shortest else {
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

    /// Seconds of tail below which a track has stopped at once.
    private static let shortest = 1.0
    /// LU per second below which a falling tail is a quiet passage, not a fade.
    private static let slowestFade = 1.0

    /// Least-squares line through equally spaced loudness values, in LU per second.
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
