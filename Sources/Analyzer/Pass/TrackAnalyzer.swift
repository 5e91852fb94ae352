import Foundation
internal import MPEGAudio

/// Analyses MP3 files: one decode, all measurements.
///
/// Every measurement is fed from the same decoded block while it is in the cache. Memory does not depend on the length
/// of a track but for the results themselves and what tempo and cue points are found in: the onset envelope (1.7 MB an
/// hour), curves of level and loudness (0.6 MB an hour), and the visualizer frames (6.9 MB an hour) unless there is a
/// folder where those of long tracks are put aside.
public struct TrackAnalyzer: Sendable {
    private let settings: AnalysisSettings
    private let spoolFolder: String?
    private let stageTimes: StageTimes?
    private let isCancelled: @Sendable () -> Bool

    /// Makes an analyzer.
    /// - Parameters:
    ///   - spoolFolder: a folder on a disk for nameless files, to which the frames of tracks of more than nine minutes
    ///     go while they are made; nil keeps them in memory, as does a folder that cannot be written to.
    ///   - stageTimes: where the time of each stage is added; nil takes none.
    ///   - isCancelled: asked some times a second; true ends an analysis with the error `cancelled`.
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
    ///   - neededParts: asked once the audio hash is known, before anything is decoded: which parts to make. None ends
    ///     the work there.
    /// - Returns: the analysis, or only the hash where nothing is needed.
    /// - Throws: why the file holds nothing to analyse, or that it changed under the reading.
    public func analyze(
        _ file: MappedFile, neededParts: (AudioHash) -> AnalysisParts = { _ in .all }
    ) throws(AnalyzerError) -> Outcome {
        do {
            let outcome = try file.withBytes { bytes throws(AnalyzerError) in
                try analyze(bytes, release: file.release(before:), neededParts: neededParts)
            }
            try file.verifyUnchanged()
            return outcome
        } catch {
            // What is wrong with bytes that changed under the reading is no fault of the file's.
            if error.code != .cancelled { try file.verifyUnchanged() }
            throw error
        }
    }

    /// What analysing a file came to.
    public enum Outcome: Sendable {
        /// The audio was analysed. The offset is that of the payload in the file, in bytes.
        case analyzed(TrackAnalysis, payloadOffset: Int)
        /// This audio needs no work.
        case known(AudioHash, payloadOffset: Int)
    }

    private func analyze(
        _ bytes: RawSpan, release: (Int) -> Void, neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> Outcome {
        let timer = stageTimes.map { StageTimer(.scan, into: $0) }
        defer { timer?.end() }
        let stream: MPEGAudioStream
        do {
            stream = try withoutActuallyEscaping(release) { release throws(MPEGAudioError) in
                try MPEGAudioStream.scan(bytes, passed: release)
            }
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        let hash = AudioHash(of: bytes, in: stream.payload, passed: release)
        let parts = neededParts(hash)
        if parts.isEmpty { return .known(hash, payloadOffset: stream.payload.lowerBound) }

        var measurements = try Measurements(
            stream: stream, parts: parts, settings: settings, spoolFolder: spoolFolder, timer: timer)
        timer?.enter(.decode)
        var decoder = StreamDecoder(stream: stream)
        try withoutActuallyEscaping(release) { release throws(AnalyzerError) in
            try decoder.decode(bytes, passed: release, isCancelled: isCancelled) { measurements.consume($0) }
        }
        timer?.enter(.conclusions)
        let results = measurements.finish()
        return .analyzed(
            TrackAnalysis(
                audioHash: hash, stream: StreamDescription(stream, lostFrames: decoder.lostFrames),
                profile: results.profile, frames: results.frames), payloadOffset: stream.payload.lowerBound)
    }
}
