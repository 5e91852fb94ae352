/// A time at which a phrase starts: a group of bars with chords, instruments, rhythm or level other than before.
public struct PhraseBoundary: Sendable, Equatable {
    /// Time of the downbeat in seconds.
    public var seconds: Double
    /// Estimated probability that a phrase starts there, to half a beat, 0…1.
    public var confidence: Double

    /// Memberwise initializer.
    public init(seconds: Double, confidence: Double) {
        self.seconds = seconds
        self.confidence = confidence
    }
}
