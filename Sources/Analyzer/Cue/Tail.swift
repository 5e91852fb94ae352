import Foundation

/// The part of a track after its main part, classified by how its loudness falls.
struct Tail {
    /// How the track ends.
    let ending: CuePoints.Ending
    /// Fraction of the loudness curve's variance explained by a straight line, 0…1: near 1 for a fade.
    let straightness: Double

    /// Classifies the tail between the end of the main part and the cue-out.
    /// - Parameter reference: the track's integrated loudness in LUFS.
    init(loudness: LoudnessCurve, levels: LevelCurve, reference: Double, mainEnd: Double, cueOut: Double) {
        let fall = LevelFall(levels: levels, mainEnd: mainEnd, cueOut: cueOut)
        let isAbrupt = fall?.isAbrupt ?? (cueOut - mainEnd < Self.shortest)
        let floor = SteadyFloor(loudness: loudness, reference: reference, mainEnd: mainEnd, cueOut: cueOut)
        let rest = cueOut - (fall?.endSeconds ?? mainEnd)
        if isAbrupt, floor?.isNoise == true || rest < Self.shortestRest {
            ending = .hard
            straightness = 1
            return
        }
        if isAbrupt, floor != nil {
            // A held note: its level does not fall, so this is no fade.
            ending = cueOut - mainEnd > CuePointFinder.longestOverlap ? .longTail : .sustained
            straightness = 1
            return
        }
        // A floor after a fade is not part of the fade.
        let length = (floor?.startSeconds ?? cueOut) - mainEnd
        let end = loudness.index(atSeconds: cueOut - 0.2)
        let fallEnd = loudness.index(atSeconds: mainEnd + length - 0.2)
        let lastLU = loudness.values[end] - reference
        let first = loudness.index(atSeconds: mainEnd)
        let line = Self.line(through: loudness.values[first...max(first, fallEnd)])
        straightness = line.straightness
        let fallLU = -line.slope * length
        if lastLU > -20, fallLU < 12, cueOut - mainEnd >= Self.shortest {
            ending = .sustained
        } else if line.straightness > 0.8, line.slope < -Self.slowestFade {
            ending = .fade
        } else if length > CuePointFinder.longestOverlap {
            ending = .longTail
        } else {
            ending = .fade
        }
    }

    /// A tail shorter than this many seconds counts as an abrupt end.
    private static let shortest = 1.0
    /// Sound that continues for less than this many seconds after an abrupt fall is its reverberation. The cue-out may be half a
    /// second late above a floor that is just audible.
    private static let shortestRest = 1.5
    /// LU per second below which a falling tail is a quiet passage rather than a fade.
    private static let slowestFade = 1.0

    /// Fits a least-squares line through equally spaced loudness values; the slope is in LU per second.
    static func line(through values: ArraySlice<Double>) -> (slope: Double, straightness: Double) {
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
