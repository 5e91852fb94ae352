public import AudioChannels

/// The format of the samples in a WAV or AIFF file.
public struct PCMFormat: Sendable, Hashable {
    /// Samples per second.
    public let sampleRate: Int
    /// How each sample is coded.
    public let coding: SampleCoding
    /// The loudspeaker of each channel.
    public let layout: ChannelLayout

    /// Number of channels.
    public var channelCount: Int { layout.channelCount }
    /// Bytes of one sample of all channels.
    public var frameSize: Int { coding.byteCount * channelCount }
    /// Bits per second.
    public var bitRate: Int { frameSize * 8 * sampleRate }
}
