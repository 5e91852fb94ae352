/// Weights that score the 24 keys from vectors of twelve pitch classes as seen from their tonics. The twelve keys of a mode share them.
struct KeyWeights: Sendable {
    /// Weights for major keys: for each vector, twelve degrees starting from the tonic.
    let major: [Float]
    /// Weights for minor keys.
    let minor: [Float]
    /// Added to the scores of minor keys.
    let minorOffset: Float

    /// Returns the scores of the twelve major keys, starting from C, and of the twelve minor keys.
    /// - Parameter features: vectors of twelve values starting from C, as many as there are weights.
    func scores(_ features: [Float]) -> [Float] {
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
}
