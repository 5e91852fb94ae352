/// The codecs that are decoded from Ogg.
public enum OggCodec: String, Sendable, Hashable {
    /// Opus (RFC 7845), always at 48 kHz.
    case opus
    /// Vorbis I.
    case vorbis
}
