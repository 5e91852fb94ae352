/// Detects tags in the forward direction: before the first frame or between frames.
///
/// Lyrics3 is not included, since it states its size only at its end: between frames it counts as junk.
enum ForwardTag {
    /// Returns the tag that starts at `position` and ends by `limit`, or nil.
    static func at(_ position: Int, in bytes: RawSpan, limit: Int) -> (kind: TagExtent.Kind, end: Int)? {
        guard position < limit else { return nil }
        switch bytes.byte(at: position) {
        case 0x49:  // I
            guard let tag = ID3v2Extent(bytes, at: position), tag.claimedEnd <= limit else { return nil }
            return (.id3v2, tag.claimedEnd)
        case 0x54:  // T
            guard bytes.holds("TAG", at: position) else { return nil }
            if bytes.holds("TAG+", at: position), bytes.holds("TAG", at: position + 227) {
                return position + 227 <= limit ? (.id3v1Extended, position + 227) : nil
            }
            return position + 128 <= limit ? (.id3v1, position + 128) : nil
        case 0x41:  // A
            guard let range = APEExtent.leading(bytes, at: position, limit: limit) else { return nil }
            return (.ape, range.upperBound)
        default:
            return nil
        }
    }
}
