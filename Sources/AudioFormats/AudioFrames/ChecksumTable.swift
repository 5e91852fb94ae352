/// The tables of a cyclic redundancy check whose bits go from high to low ("not reflected"), of up to 32 bits.
///
/// A check of fewer bits is kept in the high bits of 32. Eight bytes take one step ("slicing by eight", Kounavis and Berry 2005).
package struct ChecksumTable: Sendable {
    /// Eight tables of 256 entries: table k advances a byte past k bytes of zeros.
    private let tables: [UInt32]

    /// - Parameter polynomial: without its highest power; in the high bits.
    package init(polynomial: UInt32) {
        var tables = (0..<256).map { index in
            (0..<8).reduce(UInt32(index) << 24) { crc, _ in
                crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ polynomial
            }
        }
        for place in 256..<8 * 256 {
            let before = tables[place - 256]
            tables.append(before << 8 ^ tables[Int(before >> 24)])
        }
        self.tables = tables
    }

    /// Returns a checksum after more bytes.
    /// - Parameters:
    ///   - crc: the checksum of the bytes so far, in the high bits.
    ///   - bytes: the next bytes.
    package func advanced(_ crc: UInt32, over bytes: RawSpan) -> UInt32 {
        tables.withUnsafeBufferPointer { table in
            bytes.withUnsafeBytes { Self.advanced(crc, over: $0, table) }
        }
    }

    private static func advanced(
        _ start: UInt32, over bytes: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        var crc = start
        var position = 0
        while position &+ 8 <= bytes.count {
            let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let first = word ^ UInt64(crc) << 32
            var next = table[7 &* 256 &+ Int(truncatingIfNeeded: first >> 56)]
            next ^= table[6 &* 256 &+ Int(truncatingIfNeeded: first >> 48 & 0xFF)]
            next ^= table[5 &* 256 &+ Int(truncatingIfNeeded: first >> 40 & 0xFF)]
            next ^= table[4 &* 256 &+ Int(truncatingIfNeeded: first >> 32 & 0xFF)]
            next ^= table[3 &* 256 &+ Int(truncatingIfNeeded: first >> 24 & 0xFF)]
            next ^= table[2 &* 256 &+ Int(truncatingIfNeeded: first >> 16 & 0xFF)]
            next ^= table[256 &+ Int(truncatingIfNeeded: first >> 8 & 0xFF)]
            crc = next ^ table[Int(truncatingIfNeeded: first & 0xFF)]
            position &+= 8
        }
        while position < bytes.count {
            crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ bytes[position])]
            position &+= 1
        }
        return crc
    }
}
