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
    ///   - repetition: the highest autocorrelation; see ``PulsePeriodicity/strongestRepetition``.
    ///   - strength: how far onsets stand out; see ``OnsetEnvelope/strength``.
    ///   - frameCount: frames of the envelope. Over the root of it, noise reaches a clarity of up to 1.4 and a repetition
    ///     of up to 7, in a few seconds of it up to 15.
    static func value(
        probability: Double, clarity: Double, repetition: Double, strength: Double, frameCount: Int
    ) -> Double? {
        let root = Double(frameCount).squareRoot()
        guard strength >= leastStrength, clarity > 1.8 / root || repetition > 18 / root else { return nil }
        let odds = max(probability, 1e-9) / max(1 - probability, 1e-9)
        return 1 / (1 + exp(-(TempoModel.calibration.slope * log(odds) + TempoModel.calibration.offset)))
    }
}
