/// The location of a tag in a file. Its contents are not read here.
public struct TagExtent: Sendable, Hashable {
    /// Tag formats of MP3 files.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ID3v2.2, 2.3 or 2.4, including its footer.
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

    /// Position of a tag relative to the audio.
    public enum Placement: String, Sendable, Hashable, CaseIterable {
        /// Before the first frame.
        case leading
        /// Between frames, as in joined files.
        case interior
        /// After the last frame.
        case trailing
    }

    /// Format of the tag.
    public let kind: Kind
    /// Its byte range in the file, including header, padding and footer.
    public let range: Range<Int>
    /// Position relative to the audio.
    public let placement: Placement

    /// Memberwise initializer.
    public init(kind: Kind, range: Range<Int>, placement: Placement) {
        self.kind = kind
        self.range = range
        self.placement = placement
    }
}
