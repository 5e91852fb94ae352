/// The format of the spectra of some audio.
public struct SpectrumDescription: Sendable, Equatable {
    /// Spectra per second.
    public var framesPerSecond: Int
    /// Number of bands in each spectrum.
    public var bandCount: Int
    /// Number of spectra.
    public var frameCount: Int
    /// Version of the analyzer that computed them.
    public var analyzerVersion: Int
}
