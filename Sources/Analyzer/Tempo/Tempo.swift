/// The tempo and beats of a track.
public struct Tempo: Sendable, Equatable {
    /// Beats per minute.
    public var bpm: Double
    /// Estimated probability that ``bpm`` is within 4 % of the notated tempo, 0…1. Most errors are octave errors: double or half.
    public var confidence: Double
    /// Estimated probability that ``beatSeconds`` are on the notated beats rather than between them, and the tempo right, 0…1; nil
    /// in analyses of versions up to 5.
    public var beatConfidence: Double?
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double
    /// Times of all beats in seconds, ascending.
    public var beatSeconds: [Double]

    /// Memberwise initializer.
    public init(
        bpm: Double, confidence: Double, beatConfidence: Double? = nil, firstBeatSeconds: Double,
        beatSeconds: [Double]
    ) {
        self.bpm = bpm
        self.confidence = confidence
        self.beatConfidence = beatConfidence
        self.firstBeatSeconds = firstBeatSeconds
        self.beatSeconds = beatSeconds
    }
}
