/// What the frames of a stream or of a section of it have in common.
public struct StreamFormat: Sendable, Hashable {
    /// MPEG-1, -2 or -2.5.
    public let version: MPEGVersion
    /// The layer; an indexed stream is always of layer III.
    public let layer: MPEGLayer
    /// Samples per second, in Hz.
    public let sampleRate: Int
    /// The stereo mode of the section's first frame. Stereo and joint stereo may alternate inside a section.
    public let channelMode: ChannelMode

    /// The format that a header states.
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

    /// Samples per channel that one frame decodes to: 1152 in MPEG-1, 576 in MPEG-2 and 2.5 (layer III).
    public var samplesPerFrame: Int {
        switch (layer, version) {
        case (.layer1, _): 384
        case (.layer2, _), (.layer3, .v1): 1152
        default: 576
        }
    }

    /// Exact length of a sample (see ``StreamTime``).
    public var ticksPerSample: Int { StreamTime.ticksPerSecond / sampleRate }

    /// Exact length of a frame (see ``StreamTime``).
    public var ticksPerFrame: Int { ticksPerSample * samplesPerFrame }
}
