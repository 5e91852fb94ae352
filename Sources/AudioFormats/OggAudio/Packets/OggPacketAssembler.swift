/// Joins the parts of packets on the pages of one stream.
struct OggPacketAssembler {
    /// A complete packet.
    struct Packet {
        /// Its bytes: ranges in order, none of them empty. Only the first part if it is too large.
        let ranges: [Range<Int>]
        /// Size in bytes.
        let size: Int
        /// Whether it is larger than any packet of audio.
        var isOversized: Bool { size > OggPacketIndex.longestPacket }
        /// Start of the page it begins on.
        let pageStart: Int
    }

    private var ranges: [Range<Int>] = []
    private var size = 0
    private var pageStart = 0
    private var lastSequence: UInt32
    /// Whether a packet has begun and not ended.
    private(set) var isInside = false
    /// Number of places where pages are missing.
    private(set) var gapCount = 0
    /// Whether pages are missing before the last page taken.
    private(set) var followsGap = false

    /// Starts behind the first page of a stream, which has a single packet.
    init(after page: OggPage) { lastSequence = page.sequence }

    /// Takes the next page of the stream, and calls a closure with each packet that ends on it.
    mutating func take(_ page: OggPage, _ bytes: RawSpan, _ body: (Packet) -> Void) {
        followsGap = page.sequence != lastSequence &+ 1
        lastSequence = page.sequence
        if followsGap { gapCount += 1 }
        if followsGap || !page.isContinued { drop() }
        // The end of a packet whose start is missing.
        var isOrphan = page.isContinued && !isInside
        var finished: [Packet] = []
        page.forEachPart(bytes) { part, isEnd in
            if isOrphan {
                if isEnd { isOrphan = false }
                return
            }
            add(part, on: page)
            if isEnd {
                finished.append(Packet(ranges: ranges, size: size, pageStart: pageStart))
                drop()
            }
        }
        for packet in finished { body(packet) }
    }

    private mutating func add(_ part: Range<Int>, on page: OggPage) {
        if !isInside { pageStart = page.start }
        isInside = true
        size += part.count
        if !part.isEmpty, ranges.isEmpty || size <= OggPacketIndex.longestPacket { ranges.append(part) }
    }

    private mutating func drop() {
        ranges = []
        size = 0
        isInside = false
    }
}
