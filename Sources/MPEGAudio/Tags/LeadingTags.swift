/// The tags at the beginning of a file, one after the other.
struct LeadingTags {
    /// The tags from first to last.
    var tags: [TagExtent] = []
    /// Where they end: the first byte that may be audio.
    var end = 0
    /// Whether an ID3v2 tag's size is contradicted by its own frames or by audio inside it.
    var hasWrongSize = false

    /// The tags that `bytes` begins with.
    static func find(_ bytes: RawSpan) -> LeadingTags {
        var found = LeadingTags()
        while found.takeTag(bytes) {}
        return found
    }

    private mutating func takeTag(_ bytes: RawSpan) -> Bool {
        let kind: TagExtent.Kind
        let tagEnd: Int
        if let id3 = ID3v2Extent(bytes, at: end) {
            let (believed, isWrong) = Self.believableEnd(of: id3, bytes)
            kind = .id3v2
            tagEnd = believed
            if isWrong { hasWrongSize = true }
        } else if let tag = ForwardTag.at(end, in: bytes, limit: bytes.byteCount) {
            (kind, tagEnd) = tag
        } else {
            return false
        }
        tags.append(TagExtent(kind: kind, range: end..<tagEnd, placement: .leading))
        end = tagEnd
        return true
    }

    /// Where an ID3v2 tag ends, by its size where that can be true, else by its frames.
    private static func believableEnd(of tag: ID3v2Extent, _ bytes: RawSpan) -> (end: Int, isWrong: Bool) {
        let count = bytes.byteCount
        let claimed = tag.claimedEnd
        let framesEnd = tag.endOfFrames(bytes, limit: count)
        if claimed > count {
            return (bytes.firstNonZero(in: framesEnd..<count), true)
        }
        if framesEnd > claimed {
            // Too small, unless audio or another tag begins where the size says, perhaps after more padding.
            let next = bytes.firstNonZero(in: claimed..<framesEnd)
            if claimed == count || beginsAudioOrTag(bytes, at: next) { return (claimed, false) }
            return (bytes.firstNonZero(in: framesEnd..<count), true)
        }
        // Too large, if a stream begins in what should be padding.
        let afterPadding = bytes.firstNonZero(in: framesEnd..<claimed)
        if afterPadding < claimed, beginsAudio(bytes, at: afterPadding, chain: 4) {
            return (afterPadding, true)
        }
        return (claimed, false)
    }

    private static func beginsAudioOrTag(_ bytes: RawSpan, at position: Int) -> Bool {
        ID3v2Extent(bytes, at: position) != nil
            || ForwardTag.at(position, in: bytes, limit: bytes.byteCount) != nil
            || beginsAudio(bytes, at: position, chain: 2)
    }

    private static func beginsAudio(_ bytes: RawSpan, at position: Int, chain: Int) -> Bool {
        guard let header = MPEGFrameHeader(bytes, at: position), !header.isFreeFormat else { return false }
        let evidence = FrameChain.follow(
            bytes, from: position, pattern: FramePattern(header), wanted: chain, end: bytes.byteCount)
        return evidence.frameCount >= chain
    }
}
