/// The format that all frames of a stream have in common.
public struct FLACFormat: Sendable, Hashable {
    /// Sample rate in Hz.
    public let sampleRate: Int
    /// Number of channels, 1 to 8.
    public let channelCount: Int
    /// Bits per sample.
    public let bitDepth: Int
    /// Whether frames are numbered by samples.
    let hasVariableBlockSize: Bool

    /// The format of a frame; STREAMINFO states what its header does not. Nil if neither does.
    init?(_ header: FLACFrameHeader, _ info: StreamInfo) {
        sampleRate = header.sampleRate ?? info.sampleRate
        channelCount = header.channelCount
        bitDepth = header.bitDepth ?? info.bitDepth
        hasVariableBlockSize = header.hasVariableBlockSize
        guard sampleRate > 0 else { return nil }
    }

    /// The most bytes that a frame with so many samples may have: verbatim samples with a bit more for a side channel.
    func longestFrame(blockSize: Int) -> Int {
        FLACFrameHeader.longest + 2 + channelCount * (8 + (blockSize * (bitDepth + 1) + 7) / 8)
    }
}
