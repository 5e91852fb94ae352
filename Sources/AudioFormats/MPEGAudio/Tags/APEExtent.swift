/// The byte range of an APEv1 or APEv2 tag (APEv2 specification, "APE Tags Header").
///
/// Header and footer are 32 bytes: "APETAGEX", version, size, item count, flags, eight zeros, all little-endian. The size
/// includes the items and the footer but not the header.
enum APEExtent {
    private static let hasHeader: UInt32 = 0x8000_0000
    private static let isHeader: UInt32 = 0x2000_0000

    /// Returns the tag whose header is at `start` and that ends by `limit`, or nil.
    static func leading(_ bytes: RawSpan, at start: Int, limit: Int) -> Range<Int>? {
        guard let block = Block(bytes, at: start), block.flags & isHeader != 0 else { return nil }
        let end = start + 32 + block.size
        return end <= limit ? start..<end : nil
    }

    /// Returns the tag whose footer ends at `end` and that starts no earlier than `floor`, or nil.
    ///
    /// If a footer's size does not lead to the header it announces, only the footer is returned: the rest may be audio.
    static func trailing(_ bytes: RawSpan, endingAt end: Int, floor: Int) -> Range<Int>? {
        guard end - 32 >= floor, let block = Block(bytes, at: end - 32), block.flags & isHeader == 0 else {
            return nil
        }
        let start = end - block.size
        guard block.size >= 32, start >= floor else { return end - 32..<end }
        guard block.version >= 2000, block.flags & hasHeader != 0 else {
            return block.itemsFit(bytes, in: start..<end - 32) ? start..<end : end - 32..<end
        }
        guard start - 32 >= floor, Block(bytes, at: start - 32) != nil else { return end - 32..<end }
        return start - 32..<end
    }

    private struct Block {
        let version: UInt32
        let size: Int
        let itemCount: Int
        let flags: UInt32

        init?(_ bytes: RawSpan, at offset: Int) {
            guard bytes.holds("APETAGEX", at: offset), offset <= bytes.byteCount - 32 else { return nil }
            version = bytes.littleEndian32(at: offset + 8)
            size = Int(bytes.littleEndian32(at: offset + 12))
            itemCount = Int(bytes.littleEndian32(at: offset + 16))
            flags = bytes.littleEndian32(at: offset + 20)
        }

        /// Whether the items, each with value size, flags, key, zero and value, fill `range` exactly.
        func itemsFit(_ bytes: RawSpan, in range: Range<Int>) -> Bool {
            var position = range.lowerBound
            var remaining = itemCount
            while remaining > 0 {
                guard position + 9 <= range.upperBound else { return false }
                let valueSize = Int(bytes.littleEndian32(at: position))
                position += 8
                while position < range.upperBound, bytes.byte(at: position) != 0 { position += 1 }
                guard valueSize <= range.upperBound - position - 1 else { return false }
                position += 1 + valueSize
                remaining -= 1
            }
            return position == range.upperBound
        }
    }
}
