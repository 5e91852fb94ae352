/// The key a track is in.
public struct MusicalKey: Sendable, Equatable {
    /// Pitch class of the tonic: 0 is C, 1 is C♯ … 11 is B.
    public var tonic: Int
    /// Major or minor.
    public var mode: Mode
    /// Confidence of the key, 0…1: its lead over the runner-up.
    public var confidence: Double

    /// Major or minor.
    public enum Mode: String, Sendable, CaseIterable {
        /// Ionian.
        case major
        /// Aeolian, harmonic or melodic minor.
        case minor
    }

    /// Memberwise initializer.
    public init(tonic: Int, mode: Mode, confidence: Double) {
        self.tonic = tonic
        self.mode = mode
        self.confidence = confidence
    }
}
