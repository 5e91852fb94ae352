import Foundation

/// Finds the beats of a known tempo: the chain of onsets that is strong and evenly spaced at once.
///
/// Dynamic programming after Ellis, "Beat Tracking by Dynamic Programming" (2007): each frame's score is its onset
/// strength plus the best score of a beat about one period earlier, less a penalty on the squared logarithm of the
/// deviation. It follows a tempo that drifts.
struct BeatTracker {
    /// Weight of even spacing against onset strength (in standard deviations); Ellis' value.
    private static let tightness: Float = 100

    /// Onset strength per frame, in standard deviations.
    let onsets: [Float]

    /// - Parameter groups: the band groups of an envelope; kick and bass, which mark beats rather than off-beats, count
    ///   on top of everything.
    init(groups: [[Float]]) {
        let low = groups[0]
        let all = groups[PulsePeriodicity.groupCount - 1]
        var raw = all.indices.map { max(0, all[$0]) + 0.5 * max(0, low[$0]) }
        let deviation = OnsetEnvelope.standardDeviation(raw)
        if deviation > 0 { for i in raw.indices { raw[i] /= deviation } }
        onsets = raw
    }

    /// The frames of the beats, ascending.
    ///
    /// - Parameter period: frames a beat, at least 4.
    func beats(period: Double) -> [Int] {
        let shortest = max(2, Int((period / 2).rounded()))
        let longest = Int((period * 2).rounded())
        let penalties = (shortest...longest).map { step in
            let deviation = Float(log(Double(step) / period))
            return Self.tightness * deviation * deviation
        }
        var scores = [Float](repeating: 0, count: onsets.count)
        var previous = [Int32](repeating: -1, count: onsets.count)
        for frame in onsets.indices {
            // A chain may begin anywhere, at no cost.
            var best: Float = 0
            var origin: Int32 = -1
            for step in shortest...longest {
                guard step <= frame else { break }
                let score = scores[frame - step] - penalties[step - shortest]
                if score > best {
                    best = score
                    origin = Int32(frame - step)
                }
            }
            scores[frame] = onsets[frame] + best
            previous[frame] = origin
        }
        let tail = max(0, onsets.count - Int(period.rounded()))
        guard var frame = (tail..<onsets.count).max(by: { scores[$0] < scores[$1] }) else { return [] }
        var beats: [Int] = []
        while frame >= 0 {
            beats.append(frame)
            frame = Int(previous[frame])
        }
        return beats.reversed()
    }

    /// The time of the onset around a frame, in frames: the centroid of the three that saw it.
    func refined(_ frame: Int) -> Double {
        guard frame > 0, frame + 1 < onsets.count else { return Double(frame) }
        let before = Double(onsets[frame - 1])
        let at = Double(onsets[frame])
        let after = Double(onsets[frame + 1])
        let curvature = before - 2 * at + after
        guard curvature < 0 else { return Double(frame) }
        return Double(frame) + min(0.5, max(-0.5, 0.5 * (before - after) / curvature))
    }
}
