extension RawSpan {
    /// Returns the byte at an offset. Traps outside the span.
    @inline(__always)
    func octet(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns a big-endian number of up to eight bytes; nil if it is not within a range, or larger than `Int.max`.
    func number(at offset: Int, byteCount: Int, in range: Range<Int>) -> Int? {
        guard offset >= range.lowerBound, offset <= range.upperBound - byteCount,
            range.upperBound <= self.byteCount
        else { return nil }
        var number: UInt64 = 0
        for position in offset..<offset + byteCount { number = number << 8 | UInt64(octet(position)) }
        return Int(exactly: number)
    }

    /// Returns the four-character code at an offset; nil if it is not within a range.
    func code(at offset: Int, in range: Range<Int>) -> BoxType? {
        number(at: offset, byteCount: 4, in: range).map { BoxType(rawValue: UInt32($0)) }
    }

    /// Returns the bytes of a range within the span.
    func array(_ range: Range<Int>) -> [UInt8] { range.map { octet($0) } }
}
