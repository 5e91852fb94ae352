import Foundation

/// Chooses the tempo that a listener would tap among those that fit an envelope's periodicity.
///
/// Any regular music fits many tempi, related by 1/2, 2, 1/3 or 2/3. Each candidate on a grid of 1 % steps is scored from its
/// features (the autocorrelation and the spectrum of each band group at simple multiples of its period and rate, its logarithm,
/// and its logarithm times the rate of the music's events) by a small network (``TempoNetwork``) trained on music of known
/// tempo; a softmax over the grid converts scores to probabilities.
struct TempoModel {
    /// Candidate tempi in BPM, 1 % apart.
    static let candidates: [Double] = {
        let low = log(45.0)
        let high = log(240.0)
        return (0..<168).map { exp(low + (high - low) * Double($0) / 167) }
    }()

    /// Multiples of the candidate's period at which the autocorrelation is sampled.
    ///
    /// Apart from subdivisions and multiples of the beat, they cover the cases where the candidate is two thirds, three
    /// quarters, three halves or four thirds of the beat: music in 3 + 3 + 2 is strong at its dotted pulse, but fully repeats
    /// only at 8/3 of that.
    static let periodMultiples: [Double] = [
        0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 2, 3, 4, 6, 8,
        1.0 / 6, 0.125, 0.375, 2.5, 8.0 / 3, 5, 16.0 / 3, 12,
    ]
    /// Multiples of the candidate's rate at which the spectrum is sampled.
    static let rateMultiples: [Double] = [
        0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 2, 3, 4, 6, 8, 8.0 / 3, 0.375,
    ]
    /// Candidates on either side that count as the same tempo: 4 %.
    static let sameTempoReach = 4

    /// The most probable tempo in BPM.
    let bpm: Double
    /// Probability of all tempi within 4 % of it.
    let probability: Double

    /// Scores the candidates for an envelope.
    init(_ periodicity: PulsePeriodicity) {
        var scores = Self.features(of: periodicity).map(TempoNetwork.trained.score)
        // A pulse with nothing between its beats is unambiguous.
        if let bare = periodicity.bareBPM {
            for (index, bpm) in Self.candidates.enumerated() where abs(bpm / bare - 1) > 0.04 {
                scores[index] -= 10
            }
        }
        let top = scores.max() ?? 0
        let weights = scores.map { exp($0 - top) }
        let sum = weights.reduce(0, +)
        let masses = weights.indices.map { i in Self.neighbours(i).reduce(0.0) { $0 + weights[$1] } / sum }
        // Among neighbours with similar total probability, choose the most probable candidate.
        let best = masses.indices.max { masses[$0] < masses[$1] } ?? 0
        let centre = Self.neighbours(best).max { weights[$0] < weights[$1] } ?? best
        bpm = Self.candidates[centre]
        probability = masses[best]
    }

    private static func neighbours(_ index: Int) -> ClosedRange<Int> {
        max(0, index - sameTempoReach)...min(candidates.count - 1, index + sameTempoReach)
    }

    /// Returns the features of every candidate, in the order of the network's weights.
    static func features(of periodicity: PulsePeriodicity) -> [[Float]] {
        let groups = 0..<PulsePeriodicity.groupCount
        let correlationLevels = groups.map { group in
            level(candidates.map { periodicity.autocorrelation(group: group, bpm: $0) }) + 0.05
        }
        let spectrumLevels = groups.map { group in
            (candidates.map { periodicity.spectrum(group: group, bpm: $0) }.max() ?? 0) + 0.001
        }
        let eventRates = groups.map { eventRate(of: periodicity, group: $0) }
        return candidates.map { bpm in
            var features: [Float] = []
            for group in groups {
                let scale = 1 / correlationLevels[group]
                for multiple in periodMultiples {
                    features.append(scale * periodicity.autocorrelation(group: group, bpm: bpm / multiple))
                }
            }
            for group in groups {
                let scale = 1 / spectrumLevels[group]
                for multiple in rateMultiples {
                    features.append(scale * periodicity.spectrum(group: group, bpm: bpm * multiple))
                }
            }
            let octaves = Float(log2(bpm / 120))
            features += [octaves, octaves * octaves, octaves * octaves * octaves, abs(octaves)]
            features += eventRates.map { $0 * octaves }
            return features
        }
    }

    /// Returns a high level among values that is robust to outliers: about the 98th percentile, at least 0.
    private static func level(_ values: [Float]) -> Float {
        max(0, values.sorted()[values.count - 1 - values.count / 50])
    }

    /// Returns the centre of energy of a group's spectrum in octaves above 240 per minute: the rate of its events.
    private static func eventRate(of periodicity: PulsePeriodicity, group: Int) -> Float {
        var sum: Float = 0
        var moment: Float = 0
        // From the slowest candidate's rate to four times the fastest's.
        for bpm in candidates + candidates.map({ 4 * $0 }).filter({ $0 > 240 }) {
            let amplitude = periodicity.spectrum(group: group, bpm: bpm)
            sum += amplitude * amplitude
            moment += amplitude * amplitude * Float(log2(bpm / 240))
        }
        return sum > 0 ? moment / sum : 0
    }
}
