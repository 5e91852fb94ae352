import Foundation

/// Finds the beats of a known tempo: the chain of onsets that is both strong and evenly spaced.
///
/// Dynamic programming after Ellis, "Beat Tracking by Dynamic Programming" (2007): each frame's score is its onset strength
/// plus the best score of a beat about one period earlier, minus a penalty on the squared logarithm of the deviation. It
/// follows a drifting tempo. Memory use is two bytes per frame: the step to the previous beat.
struct BeatTracker {
    /// Weight of even spacing relative to onset strength (in standard deviations); Ellis's value.
    private static let tightness: Float = 100
    /// Number of scores kept beyond the longest step.
    private static let scoreBatch = 4096
    /// Onset strength in standard deviations above which an onset is audible.
    private static let audible: Float = 0.5

    private let onsets: OnsetStrengths

    /// A beat of the chain.
    struct Beat {
        /// Frame index.
        let frame: Int
        /// Time of the onset in frames: the vertex of a parabola through three values.
        let position: Double
        /// Onset strength in standard deviations.
        let strength: Float
    }

    /// The beats of a track and its audible range.
    struct Chain {
        /// The beats, ascending.
        let beats: [Beat]
        /// From the first to the last audible onset, in frames; nil without onsets.
        let audibleFrames: ClosedRange<Int>?
    }

    /// - Parameter groups: the band groups of an envelope; kick and bass, which mark beats rather than off-beats, are added to
    ///   the sum of all bands.
    init(groups: [OnsetGroup]) {
        onsets = OnsetStrengths(low: groups[0], all: groups[PulsePeriodicity.groupCount - 1])
    }

    /// Finds the chain.
    ///
    /// - Parameter period: frames per beat, at least 4.
    func chain(period: Double) -> Chain {
        var audible: ClosedRange<Int>?
        let frames = beatFrames(period: period) { frame, strength in
            if strength > Self.audible { audible = (audible?.lowerBound ?? frame)...frame }
        }
        return Chain(beats: beats(at: frames), audibleFrames: audible)
    }

    /// Returns the frames of the beats, ascending.
    private func beatFrames(period: Double, heard: (_ frame: Int, _ strength: Float) -> Void) -> [Int] {
        let shortest = max(2, Int((period / 2).rounded()))
        let longest = Int((period * 2).rounded())
        let penalties = (shortest...longest).map { step in
            let deviation = Float(log(Double(step) / period))
            return Self.tightness * deviation * deviation
        }
        // Scores of the most recent frames; that of `frame` is at `frame - firstScored`.
        var scores = [Float](repeating: 0, count: longest + Self.scoreBatch)
        var firstScored = 0
        // Step to the previous beat, 0 at the start of the chain.
        var steps: [UInt16] = []
        steps.reserveCapacity(onsets.frameCount)
        var frame = 0
        for strength in onsets {
            if frame - firstScored == scores.count {
                for i in 0..<longest { scores[i] = scores[Self.scoreBatch + i] }
                firstScored += Self.scoreBatch
            }
            // A chain may start anywhere at no cost.
            var best: Float = 0
            var origin = 0
            let position = frame - firstScored
            for step in shortest...longest {
                guard step <= frame else { break }
                let score = scores[position - step] - penalties[step - shortest]
                if score > best {
                    best = score
                    origin = step
                }
            }
            scores[position] = strength + best
            steps.append(UInt16(origin))
            heard(frame, strength)
            frame += 1
        }
        let tail = max(0, steps.count - Int(period.rounded()))
        let last = (tail..<steps.count).max { scores[$0 - firstScored] < scores[$1 - firstScored] }
        guard var frame = last else { return [] }
        var frames = [frame]
        while steps[frame] > 0 {
            frame -= Int(steps[frame])
            frames.append(frame)
        }
        return frames.reversed()
    }

    /// Measures the onsets around frames, which must ascend.
    private func beats(at frames: [Int]) -> [Beat] {
        var beats: [Beat] = []
        beats.reserveCapacity(frames.count)
        var before: Float = 0
        var at: Float = 0
        var frame = -1
        for after in onsets {
            // `at` is the strength of `frame`, `after` that of the next frame.
            if beats.count < frames.count, frames[beats.count] == frame {
                let offset = frame > 0 ? Self.vertex(Double(before), Double(at), Double(after)) : 0
                beats.append(Beat(frame: frame, position: Double(frame) + offset, strength: at))
            }
            before = at
            at = after
            frame += 1
        }
        if beats.count < frames.count {
            beats.append(Beat(frame: frame, position: Double(frame), strength: at))
        }
        return beats
    }

    /// Returns the vertex of the parabola through three neighbouring values, relative to the middle one; 0 if it has no maximum.
    private static func vertex(_ before: Double, _ at: Double, _ after: Double) -> Double {
        let curvature = before - 2 * at + after
        guard curvature < 0 else { return 0 }
        return min(0.5, max(-0.5, 0.5 * (before - after) / curvature))
    }
}

/// Onset strength per frame, in standard deviations.
private struct OnsetStrengths: Sequence {
    let low: OnsetGroup
    let all: OnsetGroup
    private var scale: Float = 0

    /// Number of frames.
    var frameCount: Int { all.frameCount }

    init(low: OnsetGroup, all: OnsetGroup) {
        self.low = low
        self.all = all
        var spread = Spread()
        for strength in self { spread.add(strength) }
        scale = spread.standardDeviation
    }

    func makeIterator() -> Iterator {
        Iterator(low: low.makeIterator(), all: all.makeIterator(), scale: scale > 0 ? scale : 1)
    }

    struct Iterator: IteratorProtocol {
        var low: OnsetGroup.Iterator
        var all: OnsetGroup.Iterator
        let scale: Float

        @inline(__always)
        mutating func next() -> Float? {
            guard let all = all.next(), let low = low.next() else { return nil }
            return (Swift.max(0, all) + 0.5 * Swift.max(0, low)) / scale
        }
    }
}
