package import Analyzer

/// A track with its analysis, if there is one.
package struct AnalysedTrack: Sendable, Equatable {
    /// The track.
    package var track: CatalogueTrack
    /// Its analysis, without spectra; possibly from an older version of the analyzer.
    package var analysis: TrackAnalysis?
}
