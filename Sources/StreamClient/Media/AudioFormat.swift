/// A sample format: 32-bit floating point, full scale ±1, channels interleaved.
public struct AudioFormat: Sendable, Hashable {
    /// Sample rate in Hz, a divisor of the ticks of `StreamTime`: one of the rates of MPEG audio, or 88,200 or 96,000.
    public var sampleRate: Int
    /// Number of channels, 1 or 2.
    public var channelCount: Int

    /// Creates a format from its parts.
    public init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}
