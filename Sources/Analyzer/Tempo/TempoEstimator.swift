import Foundation

/// Estimates the tempo and the beats of a track from its onset envelope.
///
/// In three steps: how the envelope repeats itself (``PulsePeriodicity``), which of the tempi that explain it a
/// listener would tap (``TempoModel``), and where the beats are (``BeatTracker``, ``BeatGrid``), from which the tempo
/// follows to a hundredth of a BPM where it is constant.
public enum TempoEstimator {
    /// Shortest envelope that gets an answer: with less there are too few beats at most tempi.
    static let minimumSeconds = 3.0
    /// An onset lies this long after the frame in which its flux is seen, on average: a short sound enters the window
    /// up to half a window before its centre.
    static let latencySeconds = 0.003

    /// The tempo, or nil where there is no pulse: silence, noise, a held chord, or less than three seconds.
    ///
    /// Times are on the timeline of the envelope, whose frame 0 is at 0 s. Of a constant tempo the beats lie on an
    /// exact grid and `bpm` is its rate; of a drifting one the beats follow the music and `bpm` is the median.
    public static func estimate(_ envelope: OnsetEnvelope) -> Tempo? {
        guard Double(envelope.frameCount) >= minimumSeconds * envelope.framesPerSecond else { return nil }
        let groups = OnsetGroup.all(of: envelope)
        let periodicity = PulsePeriodicity(groups: groups, framesPerSecond: envelope.framesPerSecond)
        let choice = TempoModel(periodicity)
        let clarity = periodicity.clarity(bpm: choice.bpm)
        let confidence = TempoConfidence.value(
            probability: choice.probability, clarity: clarity, repetition: periodicity.strongestRepetition,
            strength: envelope.strength, frameCount: envelope.frameCount)
        guard let confidence else { return nil }
        let tracker = BeatTracker(groups: groups)
        let period = periodicity.refinedPeriod(bpm: choice.bpm)
        let timeline = BeatTimeline(
            tracker: tracker, periodFrames: period, framesPerSecond: envelope.framesPerSecond,
            latencySeconds: latencySeconds)
        guard let timeline, let first = timeline.beatSeconds.first else { return nil }
        return Tempo(
            bpm: timeline.bpm, confidence: confidence, firstBeatSeconds: first,
            beatSeconds: timeline.beatSeconds)
    }
}
