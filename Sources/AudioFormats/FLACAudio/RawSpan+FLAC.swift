extension RawSpan {
    /// Returns the byte at an offset. Traps outside the span.
    @inline(__always)
    func octet(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns a big-endian number of up to seven bytes. Traps outside the span.
    func number(at offset: Int, byteCount: Int) -> Int {
        (offset..<offset + byteCount).reduce(0) { $0 << 8 | Int(octet($1)) }
    }

    /// Returns the first position in a range whose byte is 0xFF, or nil. Examines eight bytes per step.
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
            if octet(position) == 0xFF { return position }
            position += 1
        }
        return nil
    }
}
