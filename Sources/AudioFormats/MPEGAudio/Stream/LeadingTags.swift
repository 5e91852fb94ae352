/// The consecutive tags at the start of a file.
struct LeadingTags {
    /// The tags in order.
    var tags: [TagExtent] = []
    /// End of the tags: the first byte that may be audio.
    var end = 0
    /// Whether an ID3v2 tag's size is contradicted by its own frames or by audio inside it.
    var hasWrongSize = false

    /// Returns the tags at the start of `bytes`.
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

    /// Returns the end of an ID3v2 tag: by its stated size if plausible, otherwise by its frames.
    private static func believableEnd(of tag: ID3v2Extent, _ bytes: RawSpan) -> (end: Int, isWrong: Bool) {
        let count = bytes.byteCount
        let claimed = tag.claimedEnd
        let framesEnd = tag.endOfFrames(bytes, limit: count)
        if claimed > count {
            return (bytes.firstNonZero(in: framesEnd..<count), true)
        }
        if framesEnd > claimed {
            // Too small, unless audio or another tag starts where the size says, perhaps after more padding.
            let next = bytes.firstNonZero(in: claimed..<framesEnd)
            if claimed == count || beginsAudioOrTag(bytes, at: next) { return (claimed, false) }
            return (bytes.firstNonZero(in: framesEnd..<count), true)
        }
        // Too large, if a stream starts in what should be padding and either continues across the stated end of the tag or has
        // nothing after that end: bytes of a tag may look like frames as well.
        let afterPadding = bytes.firstNonZero(in: framesEnd..<claimed)
        guard afterPadding < claimed, beginsAudio(bytes, at: afterPadding, chain: 4) else {
            return (claimed, false)
        }
        if !audio(from: afterPadding, runsAcross: claimed, bytes),
            beginsAudioOrTag(bytes, at: bytes.firstNonZero(in: claimed..<count))
        {
            return (claimed, false)
        }
        return (afterPadding, true)
    }

    /// Whether the frames from `start` lead to one that starts before `place`, ends after it, and is followed by others.
    private static func audio(from start: Int, runsAcross place: Int, _ bytes: RawSpan) -> Bool {
        guard let header = MPEGFrameHeader(bytes, at: start) else { return false }
        let pattern = FramePattern(header)
        var position = start
        while position < place, position + 4 <= bytes.byteCount {
            let length = pattern.length(of: bytes.bigEndian32(at: position))
            if length == 0 { return false }
            position += length
        }
        guard position > place else { return false }
        let evidence = FrameChain.follow(
            bytes, from: position, pattern: pattern, wanted: 2, end: bytes.byteCount)
        return evidence.frameCount == 2 || evidence.endsCleanly
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
