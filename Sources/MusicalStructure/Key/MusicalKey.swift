/// The key a track is in.
public struct MusicalKey: Sendable, Equatable {
    /// Pitch class of the tonic: 0 is C, 1 is C♯ … 11 is B.
    public var tonic: Int
    /// Major or minor.
    public var mode: Mode
    /// Probability that the key is right, 0…1, as calibrated on music of known key.
    public var confidence: Double
    /// Tuning in cents above A = 440 Hz, −50…50; nil in analyses of older versions.
    public var tuningCents: Double?

    /// Major or minor.
    public enum Mode: String, Sendable, CaseIterable {
        /// Ionian.
        case major
        /// Aeolian, harmonic or melodic minor.
        case minor
    }

    /// Memberwise initializer.
    public init(tonic: Int, mode: Mode, confidence: Double, tuningCents: Double? = nil) {
        self.tonic = tonic
        self.mode = mode
        self.confidence = confidence
        self.tuningCents = tuningCents
    }
}
