/// The key a track is in.
public struct MusicalKey: Sendable, Equatable {
    /// Pitch class of the tonic: 0 is C, 1 is C♯ … 11 is B.
    public var tonic: Int
    /// Major or minor.
    public var mode: Mode
    /// Trust in the key, 0…1: how far it stands out from the runner-up.
    public var confidence: Double

    /// The two modes told apart.
    public enum Mode: String, Sendable, CaseIterable {
        /// Ionian.
        case major
        /// Aeolian, harmonic or melodic minor.
        case minor
    }

    /// Puts the parts together.
    public init(tonic: Int, mode: Mode, confidence: Double) {
        self.tonic = tonic
        self.mode = mode
        self.confidence = confidence
    }
}
