import Foundation

/// Loudness and peaks of one track by ITU-R BS.1770-4 and EBU R 128.
public struct LoudnessMeasurement: Sendable, Equatable {
    /// Integrated loudness in LUFS; nil when nothing rises above the absolute gate of −70 LUFS.
    public var integratedLUFS: Double?
    /// Loudness range in LU (EBU Tech 3342); 0 when nothing rises above the gates.
    public var loudnessRangeLU: Double
    /// Highest momentary (400 ms) loudness in LUFS; nil for digital silence.
    public var maxMomentaryLUFS: Double?
    /// Highest short-term (3 s) loudness in LUFS; nil for digital silence or tracks under 3 s.
    public var maxShortTermLUFS: Double?
    /// Largest absolute sample value; 1.0 is full scale.
    public var samplePeak: Double
    /// Largest absolute value of the 4 × oversampled signal (2 × from 96 kHz); 1.0 is 0 dBTP.
    public var truePeak: Double
    /// Energies of the 400 ms gating blocks, for the loudness of an album.
    public var gatingBlocks: EnergyHistogram
    /// Energies of the short-term blocks, for the loudness range of an album.
    public var shortTermBlocks: EnergyHistogram
    /// Momentary loudness over the track.
    public var momentary: MomentaryCurve

    /// Puts the parts together.
    public init(
        integratedLUFS: Double?, loudnessRangeLU: Double, maxMomentaryLUFS: Double?,
        maxShortTermLUFS: Double?,
        samplePeak: Double, truePeak: Double, gatingBlocks: EnergyHistogram, shortTermBlocks: EnergyHistogram,
        momentary: MomentaryCurve
    ) {
        self.integratedLUFS = integratedLUFS
        self.loudnessRangeLU = loudnessRangeLU
        self.maxMomentaryLUFS = maxMomentaryLUFS
        self.maxShortTermLUFS = maxShortTermLUFS
        self.samplePeak = samplePeak
        self.truePeak = truePeak
        self.gatingBlocks = gatingBlocks
        self.shortTermBlocks = shortTermBlocks
        self.momentary = momentary
    }

    /// Sample peak in dBFS; nil for digital silence.
    public var samplePeakDBFS: Double? { samplePeak > 0 ? 20 * log10(samplePeak) : nil }
    /// True peak in dBTP; nil for digital silence.
    public var truePeakDBTP: Double? { truePeak > 0 ? 20 * log10(truePeak) : nil }

    /// ReplayGain 2.0 track gain in dB: what brings the track to the reference of −18 LUFS; nil where there is no
    /// integrated loudness.
    public var replayGainDB: Double? { integratedLUFS.map { Self.replayGainReferenceLUFS - $0 } }

    /// Takes over the numbers of another measurement of the same audio, but for its curve and histograms.
    mutating func replaceLevels(by other: LoudnessMeasurement) {
        integratedLUFS = other.integratedLUFS
        loudnessRangeLU = other.loudnessRangeLU
        maxMomentaryLUFS = other.maxMomentaryLUFS
        maxShortTermLUFS = other.maxShortTermLUFS
        samplePeak = other.samplePeak
        truePeak = other.truePeak
    }

    /// The ReplayGain 2.0 reference loudness, −18 LUFS.
    public static let replayGainReferenceLUFS = -18.0
}
