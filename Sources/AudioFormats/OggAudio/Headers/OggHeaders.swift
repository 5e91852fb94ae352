/// The location of the packets that a decoder needs before the audio of a link. Comments are not among them.
public struct OggHeaders: Sendable, Hashable {
    /// The identification header.
    public let identification: [Range<Int>]
    /// The setup header of Vorbis; empty for Opus.
    public internal(set) var setup: [Range<Int>]
}
