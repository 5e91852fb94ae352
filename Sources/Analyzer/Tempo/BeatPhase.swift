import Foundation

/// Chooses where between two tracked beats the beat of the music is.
///
/// A tracker follows the strongest onsets, which may be off the beat: chords of ska and reggae, a loud hi-hat, a syncopated bass.
/// The candidates are the tracked beats, and those moved by a half, quarters and thirds of a beat. For each, a small network
/// (``TempoNetwork``) scores the onset strengths of the four band groups within the beat (``BeatProfile``), and a softmax
/// converts scores to probabilities. Comparing the accents of several bands with rhythm patterns is the method of Klapuri, Eronen
/// and Astola, "Analysis of the Meter of Acoustic Musical Signals" (2006), for the phase of the bar; here the patterns are
/// trained.
struct BeatPhase {
    /// Candidates, in steps of ``BeatProfile`` by which the beats are moved later.
    static let shifts = [0, 6, 3, 9, 4, 8]
    /// Steps at which the deviation is a feature: on the beat and between two.
    private static let deviationSteps = [0, 6]

    /// The most probable shift as a fraction of a beat, 0 ≤ shift < 1.
    let shift: Double
    /// Its probability if the tempo is right, 0…1.
    let probability: Double

    /// Chooses the shift for tracked beats.
    ///
    /// - Parameters:
    ///   - groups: the band groups of an envelope.
    ///   - beatFrames: times of the tracked beats in frames, ascending; at least two.
    ///   - bpm: the tempo.
    init(groups: [OnsetGroup], beatFrames: [Double], bpm: Double) {
        let scores = Self.features(groups: groups, beatFrames: beatFrames, bpm: bpm)
            .map(TempoNetwork.beatPhase.score)
        let top = scores.max() ?? 0
        let weights = scores.map { exp($0 - top) }
        let best = weights.indices.max { weights[$0] < weights[$1] } ?? 0
        shift = Double(Self.shifts[best]) / Double(BeatProfile.stepCount)
        let chosen = weights[best]
        let odds = chosen / max(weights.reduce(0, +) - chosen, 1e-6 * chosen)
        probability = 1 / (1 + exp(-(Self.calibration.slope * log(odds) + Self.calibration.offset)))
    }

    /// Returns the features of every candidate, in the order of the network's weights.
    static func features(groups: [OnsetGroup], beatFrames: [Double], bpm: Double) -> [[Float]] {
        let profiles = groups.map { Normalised(BeatProfile(group: $0, beatFrames: beatFrames)) }
        return shifts.indices.map { index in
            var features: [Float] = []
            for profile in profiles {
                for step in 0..<BeatProfile.stepCount {
                    features.append(profile.mean(at: step + shifts[index]))
                }
                for step in deviationSteps { features.append(profile.deviation(at: step + shifts[index])) }
            }
            features += shifts.indices.map { $0 == index ? 1 : 0 }
            features.append(Float(log2(bpm / 120)))
            return features
        }
    }
}

/// A profile relative to the differences between its steps, smoothed over neighbouring steps.
private struct Normalised {
    private let means: [Float]
    private let deviations: [Float]

    init(_ profile: BeatProfile) {
        let level = profile.mean.reduce(0, +) / Float(profile.mean.count)
        let centred = profile.mean.map { $0 - level }
        let spread = (centred.reduce(0) { $0 + $1 * $1 } / Float(centred.count)).squareRoot()
        // A group without onsets, or as strong everywhere, has small features.
        let scale = 1 / (spread + 0.1)
        means = Self.smoothed(centred.map { scale * $0 })
        deviations = Self.smoothed(profile.deviation.map { scale * $0 })
    }

    func mean(at step: Int) -> Float { means[step % means.count] }
    func deviation(at step: Int) -> Float { deviations[step % deviations.count] }

    private static func smoothed(_ values: [Float]) -> [Float] {
        values.indices.map { i in
            let before = values[(i + values.count - 1) % values.count]
            let after = values[(i + 1) % values.count]
            return 0.25 * before + 0.5 * values[i] + 0.25 * after
        }
    }
}
