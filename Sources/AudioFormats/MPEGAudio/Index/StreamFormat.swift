/// The common properties of the frames of a stream or section.
public struct StreamFormat: Sendable, Hashable {
    /// MPEG-1, -2 or -2.5.
    public let version: MPEGVersion
    /// The layer; an indexed stream is always Layer III.
    public let layer: MPEGLayer
    /// Samples per second, in Hz.
    public let sampleRate: Int
    /// Stereo mode of the section's first frame. Stereo and joint stereo may alternate within a section.
    public let channelMode: ChannelMode

    /// Creates the format stated by a header.
    public init(_ header: MPEGFrameHeader) {
        self.init(
            version: header.version, layer: header.layer, sampleRate: header.sampleRate,
            channelMode: header.channelMode)
    }

    init(version: MPEGVersion, layer: MPEGLayer, sampleRate: Int, channelMode: ChannelMode) {
        self.version = version
        self.layer = layer
        self.sampleRate = sampleRate
        self.channelMode = channelMode
    }

    /// 1 or 2.
    public var channelCount: Int { channelMode.channelCount }

    /// Samples per channel in one frame: 1152 in MPEG-1, 576 in MPEG-2 and 2.5 (Layer III).
    public var samplesPerFrame: Int {
        switch (layer, version) {
        case (.layer1, _): 384
        case (.layer2, _), (.layer3, .v1): 1152
        default: 576
        }
    }

    /// Exact duration of a sample (see ``StreamTime``).
    public var ticksPerSample: Int { StreamTime.ticksPerSecond / sampleRate }

    /// Exact duration of a frame (see ``StreamTime``).
    public var ticksPerFrame: Int { ticksPerSample * samplesPerFrame }
}
