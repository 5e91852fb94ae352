public import AudioFrames

/// All that decoding and streaming a track need: the decoder's configuration, the access units and what players trim.
public struct MP4AudioIndex: Sendable, Hashable {
    /// The codec.
    public let codec: MP4AudioCodec
    /// The access units.
    public let units: AccessUnitIndex
    /// The samples that gapless players play, of those that all units give.
    public let played: Range<Int>

    /// - Parameter played: clamped to the samples that exist.
    init(codec: MP4AudioCodec, units: AccessUnitIndex, played: Range<Int>) {
        self.codec = codec
        self.units = units
        self.played = played.clamped(to: 0..<units.sampleCount)
    }
}
