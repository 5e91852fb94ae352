import Foundation

/// Finds where between two tracked pulses the beats are, how many of them make a bar, and which of them start one.
///
/// A tracker follows the strongest onsets, which may be off the beat: chords of ska and reggae, a loud hi-hat, a syncopated bass.
/// Candidates are all combinations of a shift (none, a half, quarters and thirds of a beat), a metre (two, three, four or six beats) and
/// a first bar. The score of each is the mean over the track of what ``MetreNetwork`` hears at its beats and starts of bars, and a
/// softmax converts scores to probabilities.
struct Metre {
    /// Shifts by which the pulses are moved later, in steps of ``BeatSteps``.
    static let shifts = [0, 3, 4, 6, 8, 9]
    /// Beats per bar, in the order of the network's scores.
    static let lengths = [2, 3, 4, 6]

    /// The most probable shift in steps of ``BeatSteps``.
    let shift: Int
    /// The probability that the moved pulses are on the beat if the tempo is right, 0…1.
    let beatProbability: Double
    /// Beats per bar.
    let beatsPerBar: Int
    /// The first pulse that starts a bar after being moved, below ``beatsPerBar``.
    let firstBar: Int
    /// The probability that the metre and the starts of bars are right if the tempo is, 0…1; at most ``beatProbability``.
    let barProbability: Double

    /// A metre and the first pulse that starts a bar.
    private struct Bars {
        /// Index of the length.
        let length: Int
        let first: Int
    }

    private static let bars = lengths.indices.flatMap { length in
        (0..<lengths[length]).map { Bars(length: length, first: $0) }
    }

    /// Chooses for tracked pulses.
    ///
    /// - Parameters:
    ///   - features: the features of the track.
    ///   - beatFrames: times of the tracked pulses in frames, ascending; at least two.
    init(features: BeatFeatures, beatFrames: [Double]) {
        let scores = MetreNetwork.trained.scores(
            BeatSteps(features: features, beatFrames: beatFrames).steps)
        let candidates = Self.shifts.map { Self.candidates(scores, shift: $0) }
        let top = candidates.joined().max() ?? 0
        let weights = candidates.map { $0.map { exp($0 - top) } }
        let sums = weights.map { $0.reduce(0, +) }
        let total = sums.reduce(0, +)
        let best = sums.indices.max { sums[$0] < sums[$1] } ?? 0
        let bestBars = weights[best].indices.max { weights[best][$0] < weights[best][$1] } ?? 0
        shift = Self.shifts[best]
        beatsPerBar = Self.lengths[Self.bars[bestBars].length]
        firstBar = Self.bars[bestBars].first
        beatProbability = Self.calibrated(sums[best], of: total, Self.beatCalibration)
        barProbability = min(
            beatProbability, Self.calibrated(weights[best][bestBars], of: total, Self.barCalibration))
    }

    /// Returns the score of each metre and first bar for a shift.
    private static func candidates(_ scores: [SIMD8<Float>], shift: Int) -> [Double] {
        let beats = stride(from: shift, to: scores.count, by: BeatSteps.perBeat).map { scores[$0] }
        guard !beats.isEmpty else { return bars.map { _ in 0 } }
        let beat = beats.reduce(0) { $0 + Double($1[0]) } / Double(beats.count)
        return bars.map { bars in
            let starts = stride(from: bars.first, to: beats.count, by: lengths[bars.length])
            var sum = 0.0
            var count = 0.0
            for start in starts {
                sum += Double(beats[start][1 + bars.length])
                count += 1
            }
            return beat + (count > 0 ? sum / count : -100)
        }
    }

    /// Returns the logistic function of `slope` · logit(weight / total) + `offset`.
    private static func calibrated(
        _ weight: Double, of total: Double, _ calibration: (slope: Double, offset: Double)
    ) -> Double {
        let odds = weight / max(total - weight, 1e-6 * weight)
        return 1 / (1 + exp(-(calibration.slope * log(odds) + calibration.offset)))
    }
}
