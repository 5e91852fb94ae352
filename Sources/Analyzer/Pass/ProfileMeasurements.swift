internal import MusicalStructure

/// The measurements that make up a ``TrackProfile``.
struct ProfileMeasurements {
    /// Spectra per second for the tempo analysis; a multiple of the visualizer's frame rate.
    static let spectraPerSecond = 60

    private var loudness: LoudnessMeter
    private let reference: ReferenceLoudnessMeter?
    private var silence: SilenceDetector
    private var waveform: WaveformBuilder
    private let key: KeyDetector
    private let fingerprint: FingerprintMeter
    private var onsets: OnsetEnvelope
    private var sound = SonicFeatures()

    private let durationSeconds: Double

    init(
        sampleRate: Double, channelWeights: [Double], durationSeconds: Double, settings: AnalysisSettings
    ) throws(AnalyzerError) {
        self.durationSeconds = durationSeconds
        loudness = LoudnessMeter(
            sampleRate: sampleRate, channelWeights: channelWeights,
            expectedSeconds: durationSeconds)
        reference =
            settings.usesReferenceLoudness
            ? try ReferenceLoudnessMeter(sampleRate: Int(sampleRate), channelCount: channelWeights.count)
            : nil
        silence = SilenceDetector(
            sampleRate: sampleRate, channelCount: min(2, channelWeights.count),
            settings: SilenceDetector.Settings(
                thresholdDB: settings.silenceThresholdDB, minimumSeconds: settings.minimumSilenceSeconds),
            expectedSeconds: durationSeconds)
        waveform = WaveformBuilder(sampleRateHz: Int(sampleRate))
        key = KeyDetector(sampleRate: sampleRate, expectedSeconds: durationSeconds)
        fingerprint = FingerprintMeter(sampleRate: Int(sampleRate))
        onsets = OnsetEnvelope(
            sampleRate: sampleRate, fftSize: SpectrumAnalyzer.fftSize(sampleRate: sampleRate),
            framesPerSecond: Double(Self.spectraPerSecond), expectedSeconds: durationSeconds)
    }

    mutating func consume(_ block: PCMBlock, _ timer: StageTimer?) {
        timer?.enter(.loudness)
        loudness.consume(block.channels)
        reference?.consume(block.channels)
        timer?.enter(.silence)
        silence.consume(block.stereo)
        timer?.enter(.waveform)
        waveform.consume(block.mono)
        timer?.enter(.onsets)
        onsets.consume(samples: block.mono)
        timer?.enter(.key)
        key.consume(block.mono)
        timer?.enter(.fingerprint)
        fingerprint.consume(block.stereo)
    }

    mutating func consume(power: UnsafeBufferPointer<Float>) { onsets.consume(power: power) }

    /// Consumes the next row of the visualizer frames.
    mutating func consume(row: UnsafeBufferPointer<UInt8>) { sound.consume(row) }

    /// Ends the track. Each curve is released as soon as it is no longer needed. Must be called once, by the owner.
    consuming func finish() -> TrackProfile {
        var measured = loudness.finish()
        if let reference { measured.replaceLevels(by: reference.finish()) }
        let bounds = silence.finish()
        let cue = CuePointFinder(
            loudness: loudness.takeCurve(), levels: silence.takeLevels(), silence: bounds,
            integratedLUFS: measured.integratedLUFS, durationSeconds: durationSeconds
        ).find()
        let periodicity = PulsePeriodicity(onsets)
        let rhythm = periodicity.flatMap { TempoEstimator.estimate(onsets, $0, chroma: key.chroma) }
        let found = key.finish()
        return TrackProfile(
            loudness: measured, silence: bounds, cue: cue, tempo: rhythm?.tempo, phrases: rhythm?.phrases,
            key: found, keySections: found.map { _ in key.sections() }, waveform: waveform.finish(),
            fingerprint: fingerprint.finish(),
            character: SoundCharacter(sound, tones: key.statistics, rhythm: periodicity?.statistics))
    }
}
