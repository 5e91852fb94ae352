import Foundation

/// How far to trust a tempo, and whether there is one at all.
enum TempoConfidence {
    /// Below this the onsets are flutter of a held sound, not events: music has 5 and more, held chords below 3.
    private static let leastStrength = 3.0

    /// The chance that the tempo is right within 4 %, 0…1, or nil where the envelope shows no pulse.
    ///
    /// - Parameters:
    ///   - probability: the model's probability of the tempo against all others.
    ///   - clarity: mean autocorrelation at the first four periods.
    ///   - strength: how far onsets stand out; see ``OnsetEnvelope/strength``.
    ///   - frameCount: frames of the envelope. White noise reaches a clarity of up to 1.4 over the root of it.
    static func value(probability: Double, clarity: Double, strength: Double, frameCount: Int) -> Double? {
        let chance = 1.8 / Double(frameCount).squareRoot()
        guard strength >= leastStrength, clarity > chance else { return nil }
        let odds = max(probability, 1e-9) / max(1 - probability, 1e-9)
        return 1 / (1 + exp(-(TempoModel.calibration.slope * log(odds) + TempoModel.calibration.offset)))
    }
}
