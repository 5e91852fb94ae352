/// How samples follow each other: 32-bit floating point, full scale ±1, channels interleaved.
public struct AudioFormat: Sendable, Hashable {
    /// Samples per second and channel, one of MPEG audio's rates.
    public var sampleRate: Int
    /// 1 or 2.
    public var channelCount: Int

    /// Puts the parts together.
    public init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}
