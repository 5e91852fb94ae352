import Foundation

/// Which of the tempi that fit an envelope's periodicity a listener would tap.
///
/// Any regular music fits many tempi: half, double, a third, two thirds of one another. Each candidate on a grid of 1 %
/// steps gets a score from its features (the autocorrelation and the spectrum of each band group at simple multiples
/// of its period and rate, its logarithm, and that against the rate of the music's events) by a small network
/// (``TempoNetwork``) that learnt from music of known tempo; a soft maximum over the grid turns scores into
/// probabilities.
struct TempoModel {
    /// Candidate tempi in BPM, 1 % apart.
    static let candidates: [Double] = {
        let low = log(45.0)
        let high = log(240.0)
        return (0..<168).map { exp(low + (high - low) * Double($0) / 167) }
    }()

    /// Multiples of the candidate's period at which the autocorrelation is read.
    ///
    /// Beside the beat's own parts and multiples those where the beat would be if this were two thirds, three quarters,
    /// three halves or four thirds of it: music that counts 3 + 3 + 2 is strong at its dotted pulse, but comes back in
    /// full only at 8/3 of that.
    static let periodMultiples: [Double] = [
        0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 2, 3, 4, 6, 8,
        1.0 / 6, 0.125, 0.375, 2.5, 8.0 / 3, 5, 16.0 / 3, 12,
    ]
    /// Multiples of the candidate's rate at which the spectrum is read.
    static let rateMultiples: [Double] = [
        0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75, 1, 4.0 / 3, 1.5, 2, 3, 4, 6, 8, 8.0 / 3, 0.375,
    ]
    /// Candidates on either side that count as the same tempo: 4 %.
    static let sameTempoReach = 4

    /// The most probable tempo in BPM.
    let bpm: Double
    /// The probability of it and what lies within 4 %.
    let probability: Double

    /// Weighs the candidates for an envelope.
    init(_ periodicity: PulsePeriodicity) {
        var scores = Self.features(of: periodicity).map(TempoNetwork.learnt.score)
        // A pulse with nothing between leaves no choice.
        if let bare = periodicity.bareBPM {
            for (index, bpm) in Self.candidates.enumerated() where abs(bpm / bare - 1) > 0.04 {
                scores[index] -= 10
            }
        }
        let top = scores.max() ?? 0
        let weights = scores.map { exp($0 - top) }
        let sum = weights.reduce(0, +)
        let masses = weights.indices.map { i in Self.neighbours(i).reduce(0.0) { $0 + weights[$1] } / sum }
        // Of neighbours with about the same mass around them the one that itself is the most probable.
        let best = masses.indices.max { masses[$0] < masses[$1] } ?? 0
        let centre = Self.neighbours(best).max { weights[$0] < weights[$1] } ?? best
        bpm = Self.candidates[centre]
        probability = masses[best]
    }

    private static func neighbours(_ index: Int) -> ClosedRange<Int> {
        max(0, index - sameTempoReach)...min(candidates.count - 1, index + sameTempoReach)
    }

    /// The features of every candidate, each in the order of the network's weights.
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

    /// A high level among values that single outliers do not set: about the 98th percentile, not below 0.
    private static func level(_ values: [Float]) -> Float {
        max(0, values.sorted()[values.count - 1 - values.count / 50])
    }

    /// Where the energy of a group's spectrum lies, in octaves from 240 a minute: the pace of its events.
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
