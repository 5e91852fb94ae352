/// Irregularities of an Ogg file that its pages show.
public struct OggDiagnostics: Sendable, Hashable {
    /// Bytes between pages that belong to no page.
    public var skippedBytes = 0
    /// Number of times the next page had to be searched.
    public var resyncCount = 0
    /// Number of pages whose checksum is wrong; they are left out.
    public var damagedPageCount = 0
    /// Number of places where the pages of the stream are not numbered one after the other: pages are missing.
    public var gapCount = 0
    /// Number of packets that are neither headers nor valid audio; they are left out.
    public var invalidPacketCount = 0
    /// Whether the file ends inside a page or a packet, which is left out.
    public var isTruncated = false
    /// Whether the last page of the stream is not marked as such.
    public var hasNoLastPage = false
    /// Number of pages of other streams, such as video.
    public var foreignPageCount = 0
    /// Number of links of another codec, sample rate or channel count than the first; they are left out.
    public var differingLinkCount = 0
    /// Bytes after the last page.
    public var trailingBytes = 0
    /// Whether an ID3v2 tag precedes the stream, which most players reject.
    public var hasLeadingID3v2 = false

    /// Creates the diagnostics of a sound file.
    public init() {}
}
