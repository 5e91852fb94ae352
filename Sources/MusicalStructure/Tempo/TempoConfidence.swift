import Foundation

/// Computes the confidence of a tempo, and whether there is one at all.
enum TempoConfidence {
    /// Onset strength below which onsets are fluctuations of a held sound: music has 5 and more, held chords below 3.
    private static let leastStrength = 3.0

    /// Returns the probability that the tempo is right within 4 %, 0…1, or nil if the envelope shows no pulse.
    ///
    /// - Parameters:
    ///   - probability: the model's probability of the tempo among all candidates.
    ///   - clarity: mean autocorrelation at the first four periods.
    ///   - repetition: the highest autocorrelation; see ``PulsePeriodicity/strongestRepetition``.
    ///   - strength: prominence of the onsets; see ``OnsetEnvelope/strength``.
    ///   - frameCount: number of frames in the envelope. Multiplied by its square root, noise reaches a clarity of up to 1.4
    ///     and a repetition of up to 7 (up to 15 within a few seconds).
    static func value(
        probability: Double, clarity: Double, repetition: Double, strength: Double, frameCount: Int
    ) -> Double? {
        let root = Double(frameCount).squareRoot()
        guard strength >= leastStrength, clarity > 1.8 / root || repetition > 18 / root else { return nil }
        let odds = max(probability, 1e-9) / max(1 - probability, 1e-9)
        return 1 / (1 + exp(-(TempoModel.calibration.slope * log(odds) + TempoModel.calibration.offset)))
    }
}
