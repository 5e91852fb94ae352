/// The pulse of a track.
public struct Tempo: Sendable, Equatable {
    /// Beats per minute.
    public var bpm: Double
    /// The estimated chance that ``bpm`` is within 4 % of the tempo that the music was written at, 0…1. Most errors are
    /// of the octave: double or half.
    public var confidence: Double
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double
    /// Times of all beats in seconds, ascending.
    public var beatSeconds: [Double]

    /// Puts the parts together.
    public init(bpm: Double, confidence: Double, firstBeatSeconds: Double, beatSeconds: [Double]) {
        self.bpm = bpm
        self.confidence = confidence
        self.firstBeatSeconds = firstBeatSeconds
        self.beatSeconds = beatSeconds
    }
}
