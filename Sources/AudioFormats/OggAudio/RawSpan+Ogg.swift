extension RawSpan {
    /// Returns the byte at an offset. Traps outside the span.
    @inline(__always)
    func octet(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns a little-endian number of up to seven bytes. Traps outside the span.
    func littleEndian(at offset: Int, byteCount: Int) -> Int {
        (0..<byteCount).reduce(0) { $0 | Int(octet(offset + $1)) << (8 * $1) }
    }

    /// Whether bytes are at an offset; false where the span ends before.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, text.utf8CodeUnitCount <= byteCount - offset else { return false }
        for place in 0..<text.utf8CodeUnitCount where octet(offset + place) != text.utf8Start[place] {
            return false
        }
        return true
    }

    /// Returns the first position in a range where "OggS" starts, or nil. Examines eight bytes per step.
    func firstCapturePattern(in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if position <= range.upperBound - 8 {
                // A byte of the difference to "O" is zero exactly where the byte is "O".
                let word = unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
                let difference = word ^ 0x4F4F_4F4F_4F4F_4F4F
                let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
                guard zeros != 0 else {
                    position += 8
                    continue
                }
                position += UInt64(littleEndian: zeros).trailingZeroBitCount / 8
            }
            if holds("OggS", at: position) { return position }
            position += 1
        }
        return nil
    }
}
