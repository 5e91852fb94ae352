/// The tempo and beats of a track.
public struct Tempo: Sendable, Equatable {
    /// Beats per minute.
    public var bpm: Double
    /// Estimated probability that ``bpm`` is within 4 % of the notated tempo, 0…1. Most errors are octave errors: double or half.
    public var confidence: Double
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double
    /// Times of all beats in seconds, ascending.
    public var beatSeconds: [Double]

    /// Memberwise initializer.
    public init(bpm: Double, confidence: Double, firstBeatSeconds: Double, beatSeconds: [Double]) {
        self.bpm = bpm
        self.confidence = confidence
        self.firstBeatSeconds = firstBeatSeconds
        self.beatSeconds = beatSeconds
    }
}
