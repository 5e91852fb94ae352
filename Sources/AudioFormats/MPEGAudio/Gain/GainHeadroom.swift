/// The range by which the level of a stream can be changed before one of its `global_gain` fields leaves eight bits.
public struct GainHeadroom: Sendable, Hashable {
    /// Range of the fields of all audible granules; nil for a silent stream.
    public let gains: ClosedRange<Int>?

    /// Examines all frames of a stream, reading a few bytes of each.
    ///
    /// - Parameters:
    ///   - index: the stream's frames.
    ///   - bytes: the whole file's bytes.
    /// - Throws: ``MPEGAudioError/Code/indexMismatch`` if `bytes` do not contain the indexed frames.
    public init(of index: FrameIndex, bytes: RawSpan) throws(MPEGAudioError) {
        var all: ClosedRange<Int>?
        for extent in index {
            guard let header = MPEGFrameHeader(bytes, at: extent.offset), header.layer == .layer3,
                extent.offset + header.overheadLength <= bytes.byteCount
            else {
                throw MPEGAudioError(
                    .indexMismatch, "the file does not match its frame index",
                    offset: extent.offset)
            }
            guard let gains = bytes.globalGains(ofFrameAt: extent.offset, header) else { continue }
            all =
                all.map {
                    min($0.lowerBound, gains.lowerBound)...max($0.upperBound, gains.upperBound)
                } ?? gains
        }
        gains = all
    }

    /// Permitted number of steps for all fields; the full range for a silent stream.
    public var steps: ClosedRange<Int> {
        guard let gains else { return -GlobalGain.values.upperBound...GlobalGain.values.upperBound }
        return GlobalGain.values.lowerBound - gains.lowerBound...GlobalGain.values.upperBound
            - gains.upperBound
    }
}
