public import AudioFrames

/// The links of an Ogg file, and the positions of all packets of audio.
public struct OggPacketIndex: Sendable, Hashable {
    /// The codec of all links.
    public let codec: OggCodec
    /// The links of the stream; they comprise all packets.
    public internal(set) var links: [OggLink] = []
    /// The packets, relative to the first page. Their samples are those that decoding gives, before anything is dropped.
    public internal(set) var packets: PackedIndex<OggPacket>
    /// Samples per channel that a gapless player plays.
    public var sampleCount: Int { links.reduce(0) { $0 + $1.sampleCount } }

    /// Creates an index without packets.
    /// - Parameters:
    ///   - codec: the codec.
    ///   - usualSamples: samples per channel of a usual packet.
    ///   - start: offset of the first page.
    init(codec: OggCodec, usualSamples: Int, start: Int) {
        self.codec = codec
        packets = PackedIndex(usualSamples: usualSamples, start: start)
    }
}
