import Foundation

/// Loudness and peaks of one track according to ITU-R BS.1770-4 and EBU R 128.
public struct LoudnessMeasurement: Sendable, Equatable {
    /// Integrated loudness in LUFS; nil if nothing exceeds the absolute gate of −70 LUFS.
    public var integratedLUFS: Double?
    /// Loudness range in LU (EBU Tech 3342); 0 if nothing exceeds the gates.
    public var loudnessRangeLU: Double
    /// Highest momentary (400 ms) loudness in LUFS; nil for digital silence.
    public var maxMomentaryLUFS: Double?
    /// Highest short-term (3 s) loudness in LUFS; nil for digital silence or tracks shorter than 3 s.
    public var maxShortTermLUFS: Double?
    /// Largest absolute sample value; 1.0 is full scale.
    public var samplePeak: Double
    /// Largest absolute value of the signal after 4× oversampling (2× from 96 kHz); 1.0 is 0 dBTP.
    public var truePeak: Double
    /// Smallest ratio of peak to short-term loudness (PSR) in dB: how dense the densest 3 s are. The peak is that of the
    /// samples in the same 3 s. Nil if no 3 s exceed −70 LUFS.
    public var minPSR: Double?
    /// Energies of the 400 ms gating blocks, for album loudness.
    public var gatingBlocks: EnergyHistogram
    /// Energies of the short-term blocks, for the album's loudness range.
    public var shortTermBlocks: EnergyHistogram
    /// Momentary loudness over the track.
    public var momentary: MomentaryCurve

    /// Memberwise initializer.
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

    /// Ratio of peak to loudness (PLR) in dB: true peak minus integrated loudness. Nil without integrated loudness.
    public var peakToLoudnessDB: Double? {
        guard let integratedLUFS, let truePeakDBTP else { return nil }
        return truePeakDBTP - integratedLUFS
    }

    /// ReplayGain 2.0 track gain in dB, relative to the reference of −18 LUFS; nil without integrated loudness.
    public var replayGainDB: Double? { integratedLUFS.map { Self.replayGainReferenceLUFS - $0 } }

    /// Replaces the values with those of another measurement of the same audio, except the curve and histograms.
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
