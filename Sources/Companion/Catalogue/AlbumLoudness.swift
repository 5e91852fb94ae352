/// Loudness of an album as if its tracks were one, by EBU R 128.
public struct AlbumLoudness: Sendable, Equatable {
    /// Integrated loudness in LUFS; nil for silence.
    public var integratedLUFS: Double?
    /// Loudness range in LU.
    public var loudnessRangeLU: Double
    /// The largest sample of all tracks; 1.0 is full scale.
    public var samplePeak: Double
    /// The largest true peak of all tracks; 1.0 is 0 dBTP.
    public var truePeak: Double

    /// Makes a measurement.
    public init(
        integratedLUFS: Double?, loudnessRangeLU: Double, samplePeak: Double, truePeak: Double
    ) {
        self.integratedLUFS = integratedLUFS
        self.loudnessRangeLU = loudnessRangeLU
        self.samplePeak = samplePeak
        self.truePeak = truePeak
    }
}
