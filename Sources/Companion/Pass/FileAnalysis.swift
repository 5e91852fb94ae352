package import Analyzer
package import LibraryStore
internal import Tagging

/// Reads and measures single files: the same for a pass, a host's queue and the parts of a batch.
package struct FileAnalysis: Sendable {
    private let analyzer: TrackAnalyzer
    private let stageTimes: StageTimes?

    /// Prepares analyses.
    /// - Parameters:
    ///   - spoolFolder: a folder on disk for the spectra of long tracks until they are stored.
    ///   - stageTimes: collects the time spent in each stage; nil to measure no times.
    ///   - isCancelled: called several times per second; true ends an analysis with the error `cancelled`.
    package init(
        settings: AnalysisSettings = AnalysisSettings(), spoolFolder: String, stageTimes: StageTimes? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        analyzer = TrackAnalyzer(
            settings: settings, spoolFolder: spoolFolder, stageTimes: stageTimes, isCancelled: isCancelled)
        self.stageTimes = stageTimes
    }

    /// Measures a file and reads its tags.
    /// - Parameters:
    ///   - path: the path under which the library knows the file.
    ///   - file: the mapped file.
    ///   - place: where the tags are read from: the absolute path of the same file.
    ///   - neededParts: called once the audio hash is known, before decoding; returns the parts to compute.
    /// - Throws: the reason why the file cannot be analysed, or that it changed while being read.
    package func record(
        of path: RelativePath, in file: MappedFile, at place: [UInt8],
        neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> TrackRecord {
        let outcome = try analyzer.analyze(file, neededParts: neededParts)
        let tags = stageTimes.map { $0.measure(.tags) { Self.tags(place) } } ?? Self.tags(place)
        let (hash, analysis, offset): (AudioHash, TrackAnalysis?, Int) =
            switch outcome {
            case .analyzed(let analysis, let offset): (analysis.audioHash, analysis, offset)
            case .known(let hash, let offset): (hash, nil, offset)
            }
        return TrackRecord(
            path: path, file: file.state, audioHash: hash, tags: tags, analysis: analysis,
            payloadOffset: offset)
    }

    /// Unreadable tags count as empty: the audio matters more.
    private static func tags(_ place: [UInt8]) -> TrackTags {
        (try? TrackTags.read(from: place)) ?? TrackTags()
    }
}
