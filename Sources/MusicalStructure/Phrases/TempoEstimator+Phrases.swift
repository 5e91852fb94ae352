extension TempoEstimator {
    /// The tempo of a track, and where its phrases start.
    package struct TempoAndPhrases {
        package var tempo: Tempo
        /// Nil for less than eight bars.
        package var phrases: [PhraseBoundary]?
    }

    /// Returns the tempo as ``estimate(_:)`` does, and the phrases; these help to choose the first downbeat.
    /// - Parameter periodicity: that of the envelope, if it is known.
    package static func estimate(
        _ envelope: OnsetEnvelope, _ periodicity: PulsePeriodicity? = nil, chroma: ChromaCurve
    ) -> TempoAndPhrases? {
        guard let periodicity = periodicity ?? PulsePeriodicity(envelope),
            let (tempo, scores) = estimateWithBars(envelope, periodicity)
        else { return nil }
        let delay = envelope.attacks.delaySeconds(ofBeats: tempo.beatSeconds)
        var whole = tempo
        whole.moveEarlier(by: delay)
        let sound = BeatSound(
            beatSeconds: tempo.beatSeconds, envelope: envelope, chroma: chroma, latencySeconds: latencySeconds
        )
        let phrases = PhraseFinder.trained.phrases(
            sound, beatSeconds: tempo.beatSeconds, metreScores: scores,
            downbeatScores: downbeatScores(tempo, envelope: envelope, sound: sound),
            metreProbability: tempo.barConfidence ?? 0.5)
        guard let phrases else { return TempoAndPhrases(tempo: whole, phrases: nil) }
        whole.firstDownbeat = phrases.firstDownbeat
        whole.barConfidence = min(phrases.barProbability, tempo.beatConfidence ?? 1)
        let boundaries = phrases.boundaries.map {
            PhraseBoundary(seconds: max(0, $0.seconds - delay), confidence: $0.confidence)
        }
        return TempoAndPhrases(tempo: whole, phrases: boundaries)
    }

    /// Returns, for each of the first beats of a track, as many as a bar has, the score of bars that start there
    /// (``DownbeatNetwork``).
    static func downbeatScores(_ tempo: Tempo, envelope: OnsetEnvelope, sound: BeatSound) -> [Double] {
        let frames = tempo.beatSeconds.map { ($0 - latencySeconds) * envelope.framesPerSecond }
        return DownbeatNetwork.trained.firstBarScores(
            steps: BeatSteps(features: envelope.features, beatFrames: frames), changes: BeatChanges(sound),
            beatsPerBar: tempo.beatsPerBar ?? 0)
    }
}
