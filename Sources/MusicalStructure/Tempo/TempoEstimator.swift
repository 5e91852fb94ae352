import Foundation

/// Estimates the tempo and beats of a track from its onset envelope.
///
/// Five steps: find the periodicity of the envelope (``PulsePeriodicity``), choose the tempo that a listener would tap among
/// those that explain it (``TempoModel``), track pulses of that tempo (``BeatTracker``, ``BeatGrid``), which yield a constant
/// tempo to a hundredth of a BPM, choose where between these pulses the beats are, and which of them start a bar (``Metre``), and move
/// all of them to the attacks of the notes (``AttackCurve``).
public enum TempoEstimator {
    /// Minimum duration of an envelope in seconds: shorter ones contain too few beats at most tempi.
    static let minimumSeconds = 3.0
    /// Average delay of an onset after the frame in which its flux appears, in seconds: a short sound enters the window up to
    /// half a window before its centre.
    static let latencySeconds = 0.003

    /// Returns the tempo, or nil without a pulse: silence, noise, a held chord, or less than three seconds.
    ///
    /// Times are on the timeline of the envelope, whose frame 0 is at 0 s. For a constant tempo the beats lie on an exact grid
    /// and `bpm` is its rate; for a drifting tempo the beats follow the music and `bpm` is the median.
    public static func estimate(_ envelope: OnsetEnvelope) -> Tempo? {
        guard let periodicity = PulsePeriodicity(envelope),
            var tempo = estimateWithBars(envelope, periodicity)?.tempo
        else { return nil }
        tempo.moveEarlier(by: envelope.attacks.delaySeconds(ofBeats: tempo.beatSeconds))
        return tempo
    }

    /// Returns the tempo, with beats as they are tracked, and for each beat of a bar the score of bars that start there, relative to the
    /// best.
    static func estimateWithBars(
        _ envelope: OnsetEnvelope, _ periodicity: PulsePeriodicity
    ) -> (tempo: Tempo, firstBarScores: [Double])? {
        let choice = TempoModel(periodicity)
        let clarity = periodicity.clarity(bpm: choice.bpm)
        let confidence = TempoConfidence.value(
            probability: choice.probability, clarity: clarity, repetition: periodicity.strongestRepetition,
            strength: envelope.strength, frameCount: envelope.frameCount)
        guard let confidence else { return nil }
        let tracker = BeatTracker(groups: periodicity.groups)
        let period = periodicity.refinedPeriod(bpm: choice.bpm)
        let tracked = BeatTimeline(
            tracker: tracker, periodFrames: period, framesPerSecond: envelope.framesPerSecond,
            latencySeconds: latencySeconds)
        guard var timeline = tracked else { return nil }
        let metre = Metre(
            features: envelope.features,
            beatFrames: timeline.beatFrames(framesPerSecond: envelope.framesPerSecond))
        timeline.move(by: Double(metre.shift) / Double(BeatSteps.perBeat))
        guard let first = timeline.beatSeconds.first else { return nil }
        var scores = [Double](repeating: 0, count: metre.beatsPerBar)
        for (pulse, score) in metre.firstBarScores.enumerated() {
            scores[timeline.beatIndex(ofPulse: pulse, period: metre.beatsPerBar)] = score
        }
        let tempo = Tempo(
            bpm: timeline.bpm, confidence: confidence, beatConfidence: confidence * metre.beatProbability,
            firstBeatSeconds: first, beatSeconds: timeline.beatSeconds, beatsPerBar: metre.beatsPerBar,
            firstDownbeat: timeline.beatIndex(ofPulse: metre.firstBar, period: metre.beatsPerBar),
            barConfidence: confidence * metre.barProbability)
        return (tempo, scores)
    }
}
