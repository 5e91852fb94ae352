extension RawSpan {
    /// Returns the byte at `offset`. Traps outside the span, like all reads here.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Whether the ASCII bytes of `text` are at `offset`; false if they would not fit.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, offset <= byteCount - length else { return false }
        return text.withUTF8Buffer { expected in
            for i in 0..<length where expected[i] != byte(at: offset + i) { return false }
            return true
        }
    }

    /// Returns the ID3v2 synchsafe number in four 7-bit bytes at `offset` (ID3v2.4 §6.2); nil if a byte has its top bit set or
    /// the span is too short.
    func synchsafe32(at offset: Int) -> Int? {
        guard offset >= 0, offset <= byteCount - 4 else { return nil }
        let word = bigEndian32(at: offset)
        guard word & 0x8080_8080 == 0 else { return nil }
        return Int(word & 0x7F | (word >> 1) & 0x3F80 | (word >> 2) & 0x1F_C000 | (word >> 3) & 0xFE0_0000)
    }

    /// Returns the first position in `range` of a byte 0xFF, or nil. Examines eight bytes per step.
    func firstFF(in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position <= range.upperBound - 8 {
            // A byte of the complement is zero exactly where the byte is 0xFF.
            let complement = ~unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            let zeros = (complement &- 0x0101_0101_0101_0101) & ~complement & 0x8080_8080_8080_8080
            if zeros != 0 {
                return position + UInt64(littleEndian: zeros).trailingZeroBitCount / 8
            }
            position += 8
        }
        while position < range.upperBound {
            if byte(at: position) == 0xFF { return position }
            position += 1
        }
        return nil
    }

    /// Returns the first position in `range` of a non-zero byte, or the end of the range.
    func firstNonZero(in range: Range<Int>) -> Int {
        var position = range.lowerBound
        while position <= range.upperBound - 8,
            unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self) == 0
        {
            position += 8
        }
        while position < range.upperBound, byte(at: position) == 0 { position += 1 }
        return position
    }
}
