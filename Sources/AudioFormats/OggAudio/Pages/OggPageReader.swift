/// Finds the intact pages of a file one after the other, and the next one after damage.
///
/// Time is linear in the number of bytes: a page whose checksum is wrong is passed as a whole if another follows it; the sums over
/// pages whose size is doubtful are limited in total.
struct OggPageReader {
    /// Where the search for the next page starts.
    private(set) var position: Int
    /// Bytes that belong to no page.
    private(set) var skippedBytes = 0
    /// Number of times the next page had to be searched.
    private(set) var resyncCount = 0
    /// Number of pages with a wrong checksum.
    private(set) var damagedPageCount = 0
    /// Whether the file ends inside a page.
    private(set) var isTruncated = false
    /// End of the last page, intact or not.
    private(set) var endOfPages: Int
    /// Number of bytes that may still be summed up for pages that no other page follows.
    private var budget = 1 << 22

    init(position: Int) {
        self.position = position
        endOfPages = position
    }

    /// Returns the next intact page, or nil at the end of the file.
    mutating func next(_ bytes: RawSpan) -> OggPage? {
        var isSearching = false
        while let found = bytes.firstCapturePattern(in: position..<bytes.byteCount) {
            if found != endOfPages, !isSearching {
                isSearching = true
                resyncCount += 1
            }
            guard let page = OggPage(bytes, at: found), page.end <= bytes.byteCount else {
                isTruncated = true
                position = found + 4
                continue
            }
            let state = state(of: page, bytes)
            guard state != .doubtful else {
                isSearching = true
                position = found + 4
                continue
            }
            skippedBytes += found - endOfPages
            isTruncated = false
            position = page.end
            endOfPages = page.end
            budget += page.end - page.start
            if state == .intact { return page }
            damagedPageCount += 1
            isSearching = false
        }
        position = bytes.byteCount
        return nil
    }

    private enum State {
        case intact
        case damaged
        /// Its checksum is wrong, and no other page follows: it may be no page at all.
        case doubtful
    }

    private mutating func state(of page: OggPage, _ bytes: RawSpan) -> State {
        let isFollowed = page.end == bytes.byteCount || bytes.holds("OggS", at: page.end)
        let size = page.end - page.start
        if !isFollowed {
            guard size <= budget else { return .doubtful }
            budget -= size
        }
        if page.isIntact(bytes) { return .intact }
        return isFollowed ? .damaged : .doubtful
    }
}
