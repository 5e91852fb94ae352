import Foundation
import TestSupport

@testable import Analyzer

/// The blocks that the measurements get from a file, joined.
struct DecodedSound {
    private(set) var channels: [[Float]] = []
    private(set) var stereo: [[Float]] = []
    /// The report of the decoder.
    let result: DecodedAudio
    /// The length of the gapless timeline, in samples.
    let sampleCount: Int

    /// Decodes a file of any format.
    init(_ bytes: [UInt8]) throws {
        let stream = try AudioStreams.scan(bytes.span.bytes) { _ in }
        let joined = JoinedBlocks()
        result = try stream.decode(bytes.span.bytes, passed: { _ in }, isCancelled: { false }, joined.take)
        sampleCount = stream.sampleCount
        channels = joined.channels
        stereo = joined.stereo
    }
}

/// Joins blocks as they come.
private final class JoinedBlocks {
    var channels: [[Float]] = []
    var stereo: [[Float]] = []

    func take(_ block: PCMBlock) {
        if channels.isEmpty {
            channels = block.channels.map { _ in [] }
            stereo = block.stereo.map { _ in [] }
        }
        for (index, channel) in block.channels.enumerated() { channels[index] += channel }
        for (index, channel) in block.stereo.enumerated() { stereo[index] += channel }
    }
}

extension TrackAnalysis {
    /// Analyses a file of any format, which is written to a folder under a name of its own.
    static func of(_ bytes: [UInt8], in directory: TemporaryDirectory) throws -> TrackAnalysis {
        let path = try directory.write(bytes, as: UUID().uuidString)
        guard
            case .analyzed(let analysis, _) = try TrackAnalyzer().analyze(MappedFile(path: Array(path.utf8)))
        else { throw AnalyzerError(.noAudio, "no analysis") }
        return analysis
    }
}
