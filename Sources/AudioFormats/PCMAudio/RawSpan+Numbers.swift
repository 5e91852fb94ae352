extension RawSpan {
    /// Returns a number of up to seven bytes at an offset. Traps outside the span.
    @inline(__always)
    func number(at offset: Int, byteCount: Int, isBigEndian: Bool) -> Int {
        var value = 0
        for place in 0..<byteCount {
            let byte = Int(unsafeLoad(fromByteOffset: offset + place, as: UInt8.self))
            value |= byte << (8 * (isBigEndian ? byteCount - 1 - place : place))
        }
        return value
    }

    /// Returns four characters at an offset as a number, the first in the highest byte; nil where they do not fit.
    func code(at offset: Int) -> FourCharacters? {
        guard offset >= 0, offset <= byteCount - 4 else { return nil }
        return FourCharacters(rawValue: UInt32(number(at: offset, byteCount: 4, isBigEndian: true)))
    }
}
