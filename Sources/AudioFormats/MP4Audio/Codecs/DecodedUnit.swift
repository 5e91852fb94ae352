/// The size of what a decoder makes of an access unit.
public struct DecodedUnit: Sendable, Hashable {
    /// Samples per channel.
    public let sampleCount: Int
    /// Number of channels.
    public let channelCount: Int

    /// Memberwise initializer.
    public init(sampleCount: Int, channelCount: Int) {
        self.sampleCount = sampleCount
        self.channelCount = channelCount
    }
}
