/// A segment of a media playlist.
public struct HLSSegment: Sendable, Equatable {
    /// URI relative to the playlist.
    public var uri: String
    /// Exact duration: samples at ``sampleRate``.
    public var sampleCount: Int
    /// Samples per second.
    public var sampleRate: Int
    /// Byte range within the resource; nil for the whole resource.
    public var byteRange: Range<Int>?
    /// Whether sample rate or channels differ from the previous segment, or another track starts.
    public var isDiscontinuity: Bool
    /// Title of what starts here; may be empty.
    public var title: String
    /// URI of the initialization segment for this and the following segments (`EXT-X-MAP`); nil if it does not change here.
    public var map: String?

    /// Memberwise initializer.
    public init(
        uri: String, sampleCount: Int, sampleRate: Int, byteRange: Range<Int>? = nil,
        isDiscontinuity: Bool = false, title: String = "", map: String? = nil
    ) {
        self.uri = uri
        self.sampleCount = sampleCount
        self.sampleRate = sampleRate
        self.byteRange = byteRange
        self.isDiscontinuity = isDiscontinuity
        self.title = title
        self.map = map
    }
}
