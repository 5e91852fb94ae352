import Foundation

/// Scores the 24 keys from the evidence of a track.
///
/// Each key's score is a weighted sum of the evidence as seen from its tonic; a softmax converts the scores to probabilities.
/// The twelve keys of a mode share their weights, so that these are profiles as those of Krumhansl (1990) and Temperley (2001),
/// one for each kind of evidence, fitted to music of known key (multinomial logistic regression).
struct KeyModel: Sendable {
    let weights: KeyWeights
    /// Factor of the scores before the softmax, fitted to pieces that were not used for fitting the weights, so that the
    /// probability is the share of right answers.
    let sharpness: Float

    /// Returns the most probable key, with its probability as its confidence.
    func key(_ evidence: KeyEvidence) -> MusicalKey? {
        let scores = weights.scores(Self.features(of: evidence))
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        let sum = scores.reduce(0) { $0 + exp(Double(sharpness * ($1 - scores[best]))) }
        return MusicalKey(
            tonic: best % 12, mode: best < 12 ? .major : .minor, confidence: 1 / sum,
            tuningCents: evidence.tuning.cents)
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
