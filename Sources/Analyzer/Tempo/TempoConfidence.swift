import Foundation

/// How far to trust a tempo.
enum TempoConfidence {
    /// The chance that the tempo is right within 4 %, or nil where the envelope shows no pulse at all.
    ///
    /// - Parameters:
    ///   - probability: the model's probability of the tempo against all others.
    ///   - clarity: mean autocorrelation at the first four periods.
    ///   - frameCount: frames of the envelope: chance correlations shrink with its square root.
    static func value(probability: Double, clarity: Double, frameCount: Int) -> Double? {
        let chance = 2.5 / Double(frameCount).squareRoot()
        guard clarity > 0.03 + chance else { return nil }
        return probability
    }
}
