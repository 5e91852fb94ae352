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
    /// For each of the first ``beatsPerBar`` pulses, the score of bars that start there, relative to the best.
    let firstBarScores: [Double]
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
        var sums = Self.shifts.map { _ in Sums() }
        let shifts = Dictionary(uniqueKeysWithValues: zip(Self.shifts, Self.shifts.indices))
        MetreNetwork.trained.forEachScore(of: BeatSteps(features: features, beatFrames: beatFrames)) {
            let (pulse, step) = $0.quotientAndRemainder(dividingBy: BeatSteps.perBeat)
            if let shift = shifts[step] { sums[shift].add($1, pulse: pulse) }
        }
        let candidates = sums.map(\.candidates)
        let top = candidates.joined().max() ?? 0
        let weights = candidates.map { $0.map { exp($0 - top) } }
        let shiftWeights = weights.map { $0.reduce(0, +) }
        let total = shiftWeights.reduce(0, +)
        let best = shiftWeights.indices.max { shiftWeights[$0] < shiftWeights[$1] } ?? 0
        let bestBars = weights[best].indices.max { weights[best][$0] < weights[best][$1] } ?? 0
        shift = Self.shifts[best]
        beatsPerBar = Self.lengths[Self.bars[bestBars].length]
        firstBar = Self.bars[bestBars].first
        firstBarScores = zip(Self.bars, candidates[best]).filter { $0.0.length == Self.bars[bestBars].length }
            .map { $0.1 - candidates[best][bestBars] }
        beatProbability = Self.calibrated(shiftWeights[best], of: total, Self.beatCalibration)
        barProbability = min(
            beatProbability, Self.calibrated(weights[best][bestBars], of: total, Self.barCalibration))
    }

    /// Scores summed over the pulses, for one shift.
    private struct Sums {
        private var beats = 0.0
        private var beatCount = 0
        /// For each of ``bars``: the sum over the pulses that start a bar, and their number.
        private var starts = bars.map { _ in (sum: 0.0, count: 0) }

        mutating func add(_ scores: SIMD8<Float>, pulse: Int) {
            beats += Double(scores[0])
            beatCount += 1
            for (index, bars) in Metre.bars.enumerated() where pulse % lengths[bars.length] == bars.first {
                starts[index].sum += Double(scores[1 + bars.length])
                starts[index].count += 1
            }
        }

        /// The score of each of ``bars``.
        var candidates: [Double] {
            starts.map { start in
                beatCount == 0
                    ? 0
                    : beats / Double(beatCount) + (start.count > 0 ? start.sum / Double(start.count) : -100)
            }
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
