import Foundation
internal import MPEGAudio

/// Analyses MP3 files: one decode, all measurements.
///
/// Every measurement is fed from the same decoded block while it is in the cache. Memory does not depend on the length
/// of a track but for the results themselves and a few curves (about 0.6 MB an hour besides the visualizer frames).
public struct TrackAnalyzer: Sendable {
    private let parts: AnalysisParts
    private let settings: AnalysisSettings

    /// Makes an analyzer.
    public init(parts: AnalysisParts = .all, settings: AnalysisSettings = AnalysisSettings()) {
        self.parts = parts
        self.settings = settings
    }

    /// Analyses one file.
    /// - Parameters:
    ///   - file: the mapped file.
    ///   - isKnown: asked once the audio hash is known, before anything is decoded; true ends the work.
    /// - Returns: the analysis, or only the hash where it is known already.
    /// - Throws: why the file holds nothing to analyse, or that it changed under the reading.
    public func analyze(
        _ file: MappedFile, isKnown: (AudioHash) -> Bool = { _ in false }
    ) throws(AnalyzerError) -> Outcome {
        let outcome = try file.withBytes { bytes throws(AnalyzerError) in
            try analyze(bytes, release: file.release(before:), isKnown: isKnown)
        }
        try file.verifyUnchanged()
        return outcome
    }

    /// What analysing a file came to.
    public enum Outcome: Sendable {
        /// The audio was analysed.
        case analyzed(TrackAnalysis)
        /// `isKnown` said that this audio needs no work.
        case known(AudioHash)
    }

    private func analyze(
        _ bytes: RawSpan, release: (Int) -> Void, isKnown: (AudioHash) -> Bool
    ) throws(AnalyzerError) -> Outcome {
        let stream: MPEGAudioStream
        do {
            stream = try MPEGAudioStream.scan(bytes)
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        let hash = AudioHash(of: bytes.extracting(stream.payload))
        release(bytes.byteCount)
        if isKnown(hash) { return .known(hash) }

        var measurements = Measurements(stream: stream, parts: parts, settings: settings)
        var decoder = StreamDecoder(stream: stream)
        try withoutActuallyEscaping(release) { release throws(AnalyzerError) in
            try decoder.decode(bytes, passed: release) { measurements.consume($0) }
        }
        let results = measurements.finish()
        return .analyzed(
            TrackAnalysis(
                audioHash: hash, stream: StreamDescription(stream, lostFrames: decoder.lostFrames),
                profile: results.profile, frames: results.frames))
    }
}
