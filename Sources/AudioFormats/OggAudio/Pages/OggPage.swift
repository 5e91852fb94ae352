/// A page of an Ogg file according to its header (RFC 3533 §6). Its checksum is not checked here.
struct OggPage {
    /// Size of the header without the table of segments.
    static let fixedHeaderSize = 27

    /// Offset of the page.
    let start: Int
    /// Offset of the body.
    let bodyStart: Int
    /// End of the page; may lie past the end of the file.
    let end: Int
    /// Whether the body continues a packet of an earlier page.
    let isContinued: Bool
    /// Whether the page is the first of its stream.
    let isFirst: Bool
    /// Whether the page is the last of its stream.
    let isLast: Bool
    /// Position in time after the last packet that ends on the page; nil if none ends there.
    let granule: Int64?
    /// Number of the stream among those of the file.
    let serial: UInt32
    /// Number of the page in its stream.
    let sequence: UInt32

    /// Reads a header; nil for other bytes, or if its table of segments is cut off.
    init?(_ bytes: RawSpan, at start: Int) {
        guard start >= 0, start <= bytes.byteCount - Self.fixedHeaderSize, bytes.holds("OggS", at: start),
            bytes.octet(start + 4) == 0
        else { return nil }
        let segmentCount = Int(bytes.octet(start + 26))
        bodyStart = start + Self.fixedHeaderSize + segmentCount
        guard bodyStart <= bytes.byteCount else { return nil }
        self.start = start
        let flags = bytes.octet(start + 5)
        isContinued = flags & 1 != 0
        isFirst = flags & 2 != 0
        isLast = flags & 4 != 0
        let low = UInt64(bytes.littleEndian(at: start + 6, byteCount: 4))
        let high = UInt64(bytes.littleEndian(at: start + 10, byteCount: 4))
        let position = Int64(bitPattern: high << 32 | low)
        granule = position == -1 ? nil : position
        serial = UInt32(bytes.littleEndian(at: start + 14, byteCount: 4))
        sequence = UInt32(bytes.littleEndian(at: start + 18, byteCount: 4))
        var size = 0
        for place in start + Self.fixedHeaderSize..<bodyStart { size += Int(bytes.octet(place)) }
        end = bodyStart + size
    }

    /// Whether the page is complete and its checksum right.
    func isIntact(_ bytes: RawSpan) -> Bool {
        guard end <= bytes.byteCount else { return false }
        var crc = OggCRC()
        crc.update(bytes.extracting(start..<start + 22))
        // The checksum itself counts as zeros.
        let zeros: [UInt8] = [0, 0, 0, 0]
        crc.update(zeros.span.bytes)
        crc.update(bytes.extracting(start + 26..<end))
        return Int(crc.value) == bytes.littleEndian(at: start + 22, byteCount: 4)
    }

    /// Calls a closure with each part of a packet on the page, and whether the packet ends with it.
    func forEachPart(_ bytes: RawSpan, _ body: (_ part: Range<Int>, _ isEnd: Bool) -> Void) {
        var partStart = bodyStart
        var position = bodyStart
        for place in start + Self.fixedHeaderSize..<bodyStart {
            let size = Int(bytes.octet(place))
            position += size
            if size < 255 {
                body(partStart..<position, true)
                partStart = position
            } else if place == bodyStart - 1 {
                body(partStart..<position, false)
            }
        }
    }
}
