import Foundation

/// Analyses audio files: all measurements in a single decode.
///
/// Every decoded block is passed to all measurements while it is in the cache. Memory use does not depend on the length of a
/// track, except for the results themselves and the input of tempo and cue detection: the onset envelope (1.7 MB per hour),
/// level and loudness curves (0.6 MB per hour), and the visualizer frames (6.9 MB per hour) unless a spool folder is given for
/// long tracks.
public struct TrackAnalyzer: Sendable {
    private let settings: AnalysisSettings
    private let spoolFolder: String?
    private let stageTimes: StageTimes?
    private let isCancelled: @Sendable () -> Bool

    /// Creates an analyzer.
    /// - Parameters:
    ///   - spoolFolder: a folder on disk for unnamed temporary files, which hold the frames of tracks longer than nine minutes
    ///     during the analysis; with nil, or if the folder is not writable, frames stay in memory.
    ///   - stageTimes: accumulates the time of each stage; nil disables measuring.
    ///   - isCancelled: called several times per second; true ends an analysis with the error `cancelled`.
    public init(
        settings: AnalysisSettings = AnalysisSettings(), spoolFolder: String? = nil,
        stageTimes: StageTimes? = nil, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.settings = settings
        self.spoolFolder = spoolFolder
        self.stageTimes = stageTimes
        self.isCancelled = isCancelled
    }

    /// Analyses one file.
    /// - Parameters:
    ///   - file: the mapped file.
    ///   - neededParts: called once the audio hash is known, before decoding; returns the parts to compute. An empty set ends
    ///     the analysis there.
    /// - Returns: the analysis, or only the hash if nothing is needed.
    /// - Throws: the reason why the file cannot be analysed, or that it changed while being read.
    public func analyze(
        _ file: MappedFile, neededParts: (AudioHash) -> AnalysisParts = { _ in .all }
    ) throws(AnalyzerError) -> Outcome {
        try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            try analyze(bytes, release: file.release(before:), neededParts: neededParts)
        }
    }

    /// Result of an analysis.
    public enum Outcome: Sendable {
        /// The audio was analysed. The offset is that of the payload in the file, in bytes.
        case analyzed(TrackAnalysis, payloadOffset: Int)
        /// All requested parts of this audio are known already.
        case known(AudioHash, payloadOffset: Int)
    }

    private func analyze(
        _ bytes: RawSpan, release: (Int) -> Void, neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> Outcome {
        let timer = stageTimes.map { StageTimer(.scan, into: $0) }
        defer { timer?.end() }
        let audio = try ScannedAudio(bytes, passed: release)
        let stream = audio.stream
        let parts = neededParts(audio.hash)
        if parts.isEmpty { return .known(audio.hash, payloadOffset: audio.payloadOffset) }

        var measurements = try Measurements(
            stream: stream, parts: parts, settings: settings, spoolFolder: spoolFolder, timer: timer)
        timer?.enter(.decode)
        let decoded = try stream.decode(bytes, passed: release, isCancelled: isCancelled) {
            measurements.consume($0)
        }
        timer?.enter(.conclusions)
        let results = measurements.finish()
        return .analyzed(
            TrackAnalysis(
                audioHash: audio.hash,
                stream: stream.description(decoded),
                profile: results.profile, frames: results.frames), payloadOffset: audio.payloadOffset)
    }
}
