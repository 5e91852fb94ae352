import Foundation

/// Scores the 24 keys from the evidence of a track.
///
/// Each key's score is a weighted sum of the evidence as seen from its tonic; a softmax converts the scores to probabilities.
/// The twelve keys of a mode share their weights, so that these are profiles as those of Krumhansl (1990) and Temperley (2001),
/// one for each kind of evidence, fitted to music of known key (multinomial logistic regression).
struct KeyModel: Sendable {
    /// Weights for major keys: for each vector of the evidence, twelve degrees starting from the tonic.
    let major: [Float]
    /// Weights for minor keys.
    let minor: [Float]
    /// Added to the scores of minor keys.
    let minorOffset: Float
    /// Factor of the scores before the softmax, fitted to pieces that were not used for fitting the weights, so that the
    /// probability is the share of right answers.
    let sharpness: Float

    /// Returns the most probable key, with its probability as its confidence.
    func key(_ evidence: KeyEvidence) -> MusicalKey? {
        let scores = scores(Self.features(of: evidence))
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        let sum = scores.reduce(0) { $0 + exp(Double(sharpness * ($1 - scores[best]))) }
        return MusicalKey(
            tonic: best % 12, mode: best < 12 ? .major : .minor, confidence: 1 / sum,
            tuningCents: evidence.tuning.cents)
    }

    /// Returns the scores of the twelve major keys, starting from C, and of the twelve minor keys.
    private func scores(_ features: [Float]) -> [Float] {
        var scores = [Float](repeating: 0, count: 24)
        for tonic in 0..<12 {
            for vector in stride(from: 0, to: features.count, by: 12) {
                for degree in 0..<12 {
                    let value = features[vector + (tonic + degree) % 12]
                    scores[tonic] += major[vector + degree] * value
                    scores[12 + tonic] += minor[vector + degree] * value
                }
            }
            scores[12 + tonic] += minorOffset
        }
        return scores
    }

    /// Returns twelve values per vector of the evidence, without their common level and their scale.
    static func features(of evidence: KeyEvidence) -> [Float] {
        evidence.vectors.flatMap { vector in
            let values = (0..<12).map { vector[$0] }
            let mean = values.reduce(0, +) / 12
            let norm = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
            return values.map { norm > 0 ? ($0 - mean) / norm : 0 }
        }
    }
}
