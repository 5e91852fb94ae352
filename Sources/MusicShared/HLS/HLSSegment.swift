/// A segment of a media playlist.
public struct HLSSegment: Sendable, Equatable {
    /// Where it is, relative to the playlist.
    public var uri: String
    /// Its exact length: samples at ``sampleRate``.
    public var sampleCount: Int
    /// Samples a second.
    public var sampleRate: Int
    /// The part of the resource that it is, where it is not the whole: bytes from `lowerBound` on.
    public var byteRange: Range<Int>?
    /// Whether sampling rate or channels differ from the segment before, or another track begins.
    public var isDiscontinuity: Bool
    /// What begins here, for people; may be empty.
    public var title: String

    /// Puts the parts together.
    public init(
        uri: String, sampleCount: Int, sampleRate: Int, byteRange: Range<Int>? = nil,
        isDiscontinuity: Bool = false, title: String = ""
    ) {
        self.uri = uri
        self.sampleCount = sampleCount
        self.sampleRate = sampleRate
        self.byteRange = byteRange
        self.isDiscontinuity = isDiscontinuity
        self.title = title
    }
}
