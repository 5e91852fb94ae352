/// A link of a chained stream: packets that belong to the same headers. Most files have one.
public struct OggLink: Sendable, Hashable {
    /// Its packets among those of the file.
    public let packets: Range<Int>
    /// Samples per channel to drop after the start of decoding: Opus' pre-skip; in Vorbis what precedes the granule position 0.
    public let skippedSamples: Int
    /// Samples per channel that a gapless player plays.
    public let sampleCount: Int
    /// The identification header of an Opus link.
    public let opusHead: OpusHead?
}
