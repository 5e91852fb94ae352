/// The format of the spectra of some audio.
package struct SpectrumDescription: Sendable, Equatable {
    /// Spectra per second.
    package var framesPerSecond: Int
    /// Number of bands in each spectrum.
    package var bandCount: Int
    /// Number of spectra.
    package var frameCount: Int
    /// Version of the analyzer that computed them.
    package var analyzerVersion: Int
}
