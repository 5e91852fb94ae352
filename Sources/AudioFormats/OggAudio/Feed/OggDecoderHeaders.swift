/// The headers that a decoder needs before the packets of a link.
public enum OggDecoderHeaders: Sendable, Hashable {
    /// The identification header of Opus.
    case opus(OpusHead)
    /// The identification header of Vorbis, and the two packets that its decoder reads.
    case vorbis(VorbisIdentification, identification: [UInt8], setup: [UInt8])

    /// Whether the codec is Opus.
    public var isOpus: Bool { if case .opus = self { true } else { false } }

    /// Number of channels.
    public var channelCount: Int {
        switch self {
        case .opus(let head): head.channelCount
        case .vorbis(let head, _, _): head.channelCount
        }
    }

    /// Samples per second.
    public var sampleRate: Int {
        switch self {
        case .opus: OpusHead.sampleRate
        case .vorbis(let head, _, _): head.sampleRate
        }
    }

    /// Number of packets before one that its decoder needs, if it starts there: 80 ms of Opus (RFC 7845 §4.6), a packet of Vorbis.
    public func prerollPackets(duration: Int) -> Int {
        switch self {
        case .opus: (3840 + duration - 1) / max(1, duration)
        case .vorbis: 1
        }
    }

    /// Whether links with these headers are one stream.
    func isSameFormat(as other: OggDecoderHeaders) -> Bool {
        let isSameCodec =
            switch (self, other) {
            case (.opus, .opus), (.vorbis, .vorbis): true
            default: false
            }
        return isSameCodec && channelCount == other.channelCount && sampleRate == other.sampleRate
    }
}
