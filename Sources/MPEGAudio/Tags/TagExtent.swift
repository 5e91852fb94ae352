/// Where a tag lies in a file. What it says is not read here.
public struct TagExtent: Sendable, Hashable {
    /// The kinds of tags that MP3 files carry.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ID3v2.2, 2.3 or 2.4, with its footer where it has one.
        case id3v2
        /// The 128 bytes "TAG…".
        case id3v1
        /// The 227 bytes "TAG+…" before an ID3v1 tag.
        case id3v1Extended
        /// APEv1 or APEv2.
        case ape
        /// "LYRICSBEGIN … LYRICSEND".
        case lyrics3v1
        /// "LYRICSBEGIN … LYRICS200".
        case lyrics3v2
    }

    /// Where a tag stands relative to the audio.
    public enum Placement: String, Sendable, Hashable, CaseIterable {
        /// Before the first frame.
        case leading
        /// Between frames, as joined files have it.
        case interior
        /// After the last frame.
        case trailing
    }

    /// The kind of tag.
    public let kind: Kind
    /// Its bytes in the file, header, padding and footer included.
    public let range: Range<Int>
    /// Its place relative to the audio.
    public let placement: Placement

    /// A tag of the given kind and bytes.
    public init(kind: Kind, range: Range<Int>, placement: Placement) {
        self.kind = kind
        self.range = range
        self.placement = placement
    }
}
