import Foundation

/// Finds where phrases start: the downbeats at which the sound changes together, mostly after 4, 8 or 16 bars.
///
/// Each beat is scored by a weighted sum of its novelty (``PhraseNovelty``) and by how much this exceeds that of the neighbouring
/// bars; the weights are fitted to composed songs of known sections (logistic regression). For each beat that may start the bars,
/// the bars are divided into phrases (``PhraseSegments``).
struct PhraseFinder {
    /// Weights of the scores of the first bar by ``MetreNetwork`` and by ``DownbeatNetwork``, against the evidence of the phrases.
    private static let metreWeight = 0.4
    private static let downbeatWeight = 1.0
    private static let barCalibration = (evidence: 0.746, metre: 0.800, offset: -1.858)
    /// Probability below which no boundary is reported.
    private static let least = 0.2

    /// Weights of the novelty.
    let values: [Float]
    /// Weights of the novelty minus its mean over the two bars before and the two after.
    let peaks: [Float]
    let offset: Float
    /// The logarithm of the odds of the confidence: `slope` · logarithm of the odds of the probability + `calibrationOffset`.
    let slope: Double
    let calibrationOffset: Double

    /// The phrases of a track.
    struct Phrases {
        /// Index of the first beat that starts a bar, below the number of beats per bar.
        let firstDownbeat: Int
        /// The probability that the bars are right, if the tempo and the beats are, 0…1.
        let barProbability: Double
        let boundaries: [PhraseBoundary]
    }

    /// Finds the phrases; returns nil for less than eight bars.
    ///
    /// - Parameters:
    ///   - beatSeconds: times of the beats, ascending.
    ///   - metreScores: for each of the first beats, as many as a bar has, the score of bars that start there, by the network that
    ///     found the metre.
    ///   - downbeatScores: the same by the network that knows the metre. The phrases may outvote both, because what changes together
    ///     does so on a downbeat.
    ///   - metreProbability: the probability that the bars of the network that found the metre are right.
    func phrases(
        _ sound: BeatSound, beatSeconds: [Double], metreScores: [Double], downbeatScores: [Double],
        metreProbability: Double
    ) -> Phrases? {
        let beatsPerBar = metreScores.count
        guard beatsPerBar > 0, downbeatScores.count == beatsPerBar, sound.count >= 8 * beatsPerBar,
            sound.count <= beatSeconds.count
        else {
            return nil
        }
        let scores = scores(PhraseNovelty(sound, beatsPerBar: beatsPerBar), beatsPerBar: beatsPerBar)
        let candidates = scores.map { PhraseSegments(scores: $0) }
        let totals = candidates.indices.map {
            candidates[$0].logTotal + Self.metreWeight * metreScores[$0] + Self.downbeatWeight
                * downbeatScores[$0]
        }
        guard let first = totals.indices.max(by: { totals[$0] < totals[$1] }) else { return nil }
        /// Of the other first beats, as a part of the weight of the chosen one.
        let others = totals.indices.reduce(0) { $1 == first ? $0 : $0 + exp(totals[$1] - totals[first]) }
        let share = 1 / (1 + others)
        let probabilities = candidates[first].probabilities
        let boundaries = probabilities.indices.dropFirst().compactMap { bar -> PhraseBoundary? in
            let probability = probabilities[bar]
            // Of bars that exclude each other, only the likeliest.
            let near = probabilities[max(1, bar - 2)...min(probabilities.count - 1, bar + 2)]
            guard probability >= Self.least, probability == near.max() else { return nil }
            return PhraseBoundary(
                seconds: beatSeconds[first + bar * beatsPerBar], confidence: confidence(probability * share))
        }
        return Phrases(
            firstDownbeat: first, barProbability: Self.barProbability(others, metreProbability),
            boundaries: boundaries)
    }

    /// Returns the score of each bar, for each of the beats that may start the first bar.
    private func scores(_ novelty: PhraseNovelty, beatsPerBar: Int) -> [[Double]] {
        let own = novelty.values.map { row in zip(row, values).reduce(offset) { $0 + $1.0 * $1.1 } }
        let excess = novelty.values.map { row in zip(row, peaks).reduce(Float(0)) { $0 + $1.0 * $1.1 } }
        return (0..<beatsPerBar).map { first in
            let beats = Array(stride(from: first, to: own.count, by: beatsPerBar))
            return beats.indices.map { bar in
                let around = [-2, -1, 1, 2].reduce(Float(0)) { sum, distance in
                    sum + excess[beats[min(max(bar + distance, 0), beats.count - 1)]]
                }
                return Double(own[beats[bar]] + excess[beats[bar]] - around / 4)
            }
        }
    }

    /// Returns how often bars are right for which the networks and the phrases speak this much: the logistic function of the
    /// logarithm of their evidence and of the odds of the metre, fitted to the tuning halves of Benchmarks/tempo and
    /// Benchmarks/phrases, of the same weight.
    /// - Parameter others: the weight of the other first beats, as a part of that of the chosen one.
    private static func barProbability(_ others: Double, _ metreProbability: Double) -> Double {
        let evidence = log(1 + max(0, -log(max(others, 1e-100))))
        let metre = min(max(metreProbability, 1e-3), 1 - 1e-3)
        let logOdds =
            barCalibration.evidence * evidence + barCalibration.metre * log(metre / (1 - metre))
            + barCalibration.offset
        return 1 / (1 + exp(-logOdds))
    }

    private func confidence(_ probability: Double) -> Double {
        let odds = max(probability, 1e-3) / max(1 - probability, 1e-3)
        return 1 / (1 + exp(-(slope * log(odds) + calibrationOffset)))
    }
}
