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
    /// The metre: beats per bar, 2, 3, 4 or 6; nil in analyses of versions up to 7.
    public var beatsPerBar: Int?
    /// Index of the first of ``beatSeconds`` that starts a bar, below ``beatsPerBar``; likewise nil.
    public var firstDownbeat: Int?
    /// Estimated probability that tempo, beats, metre and the starts of the bars are right, 0…1; likewise nil.
    public var barConfidence: Double?

    /// Memberwise initializer.
    public init(
        bpm: Double, confidence: Double, beatConfidence: Double? = nil, firstBeatSeconds: Double,
        beatSeconds: [Double], beatsPerBar: Int? = nil, firstDownbeat: Int? = nil,
        barConfidence: Double? = nil
    ) {
        self.bpm = bpm
        self.confidence = confidence
        self.beatConfidence = beatConfidence
        self.firstBeatSeconds = firstBeatSeconds
        self.beatSeconds = beatSeconds
        self.beatsPerBar = beatsPerBar
        self.firstDownbeat = firstDownbeat
        self.barConfidence = barConfidence
    }

    /// Moves all beats earlier, but not before the start of the track.
    mutating func moveEarlier(by seconds: Double) {
        beatSeconds = beatSeconds.map { max(0, $0 - seconds) }
        firstBeatSeconds = beatSeconds.first ?? 0
    }

    /// Times of the beats that start a bar in seconds, ascending; empty without a metre.
    public var downbeatSeconds: [Double] {
        guard let beatsPerBar, beatsPerBar > 0, let firstDownbeat, firstDownbeat >= 0 else { return [] }
        return stride(from: firstDownbeat, to: beatSeconds.count, by: beatsPerBar).map { beatSeconds[$0] }
    }
}
