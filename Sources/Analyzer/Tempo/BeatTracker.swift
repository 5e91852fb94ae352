import Foundation

/// Finds the beats of a known tempo: the chain of onsets that is strong and evenly spaced at once.
///
/// Dynamic programming after Ellis, "Beat Tracking by Dynamic Programming" (2007): each frame's score is its onset
/// strength plus the best score of a beat about one period earlier, less a penalty on the squared logarithm of the
/// deviation. It follows a tempo that drifts. Memory is two bytes a frame: the step to the beat before.
struct BeatTracker {
    /// Weight of even spacing against onset strength (in standard deviations); Ellis' value.
    private static let tightness: Float = 100
    /// Scores are kept for so many frames beyond the longest step.
    private static let scoreBatch = 4096
    /// Onsets above this many standard deviations are heard.
    private static let audible: Float = 0.5

    private let onsets: OnsetStrengths

    /// A beat of the chain.
    struct Beat {
        /// Its frame.
        let frame: Int
        /// The time of the onset around it, in frames: the vertex of the three values that saw it.
        let position: Double
        /// Its onset strength, in standard deviations.
        let strength: Float
    }

    /// The beats of a track, and where in it there is anything to beat to.
    struct Chain {
        /// The beats, ascending.
        let beats: [Beat]
        /// From the first onset that is heard to the last, in frames; nil where there is none.
        let audibleFrames: ClosedRange<Int>?
    }

    /// - Parameter groups: the band groups of an envelope; kick and bass, which mark beats rather than off-beats, count
    ///   on top of everything.
    init(groups: [OnsetGroup]) {
        onsets = OnsetStrengths(low: groups[0], all: groups[PulsePeriodicity.groupCount - 1])
    }

    /// Finds the chain.
    ///
    /// - Parameter period: frames a beat, at least 4.
    func chain(period: Double) -> Chain {
        var audible: ClosedRange<Int>?
        let frames = beatFrames(period: period) { frame, strength in
            if strength > Self.audible { audible = (audible?.lowerBound ?? frame)...frame }
        }
        return Chain(beats: beats(at: frames), audibleFrames: audible)
    }

    /// The frames of the beats, ascending.
    private func beatFrames(period: Double, heard: (_ frame: Int, _ strength: Float) -> Void) -> [Int] {
        let shortest = max(2, Int((period / 2).rounded()))
        let longest = Int((period * 2).rounded())
        let penalties = (shortest...longest).map { step in
            let deviation = Float(log(Double(step) / period))
            return Self.tightness * deviation * deviation
        }
        // The scores of the last frames: that of `frame` at `frame - firstScored`.
        var scores = [Float](repeating: 0, count: longest + Self.scoreBatch)
        var firstScored = 0
        // The step back to the beat before, 0 where the chain begins.
        var steps: [UInt16] = []
        steps.reserveCapacity(onsets.frameCount)
        var frame = 0
        for strength in onsets {
            if frame - firstScored == scores.count {
                for i in 0..<longest { scores[i] = scores[Self.scoreBatch + i] }
                firstScored += Self.scoreBatch
            }
            // A chain may begin anywhere, at no cost.
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

    /// Looks at the onsets around frames, which ascend.
    private func beats(at frames: [Int]) -> [Beat] {
        var beats: [Beat] = []
        beats.reserveCapacity(frames.count)
        var before: Float = 0
        var at: Float = 0
        var frame = -1
        for after in onsets {
            // Now `at` is the strength of `frame`, and `after` that of the next one.
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

    /// Where the parabola through three neighbouring values is highest, from the middle one; 0 where it has no top.
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

    /// How many frames there are.
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
