/// How far the level of a stream can be changed by its `global_gain` fields before one of them would leave its eight bits.
public struct GainHeadroom: Sendable, Hashable {
    /// The fields of all granules that can be heard, smallest and largest; nil where the stream is silent.
    public let gains: ClosedRange<Int>?

    /// Looks at all frames of a stream: a few bytes of each.
    ///
    /// - Parameters:
    ///   - index: the stream's frames.
    ///   - bytes: the whole file's bytes.
    /// - Throws: ``MPEGAudioError/Code/indexMismatch`` where `bytes` do not hold the frames that the index names.
    public init(of index: FrameIndex, bytes: RawSpan) throws(MPEGAudioError) {
        var all: ClosedRange<Int>?
        for extent in index {
            guard let header = MPEGFrameHeader(bytes, at: extent.offset), header.layer == .layer3,
                extent.offset + header.overheadLength <= bytes.byteCount
            else {
                throw MPEGAudioError(
                    .indexMismatch, "the file's bytes are not those that its frame index was made from",
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

    /// Steps by which all fields can be changed; every number of steps where there is only silence.
    public var steps: ClosedRange<Int> {
        guard let gains else { return -GlobalGain.values.upperBound...GlobalGain.values.upperBound }
        return GlobalGain.values.lowerBound - gains.lowerBound...GlobalGain.values.upperBound
            - gains.upperBound
    }
}
