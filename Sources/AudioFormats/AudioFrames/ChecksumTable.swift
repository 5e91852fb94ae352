/// The tables of a cyclic redundancy check whose bits go from high to low ("not reflected"), of up to 32 bits.
///
/// A check of fewer bits is kept in the high bits of 32. Sixteen bytes take one step ("slicing by", Kounavis and Berry 2005).
package struct ChecksumTable: Sendable {
    /// Number of bytes that take one step.
    private static let stride = 16
    /// As many tables of 256 entries: table k advances a byte past k bytes of zeros.
    private let tables: [UInt32]

    /// - Parameter polynomial: without its highest power; in the high bits.
    package init(polynomial: UInt32) {
        var tables = (0..<256).map { index in
            (0..<8).reduce(UInt32(index) << 24) { crc, _ in
                crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ polynomial
            }
        }
        for place in 256..<Self.stride * 256 {
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
        while position &+ stride <= bytes.count {
            let first = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let second = bytes.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self)
            // Only the first half waits for the step before.
            crc =
                folded(UInt64(bigEndian: second), table, at: 0)
                ^ folded(UInt64(bigEndian: first) ^ UInt64(crc) << 32, table, at: 8)
            position &+= stride
        }
        while position < bytes.count {
            crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ bytes[position])]
            position &+= 1
        }
        return crc
    }

    /// Returns what eight bytes contribute that have a number of bytes behind them in the step.
    @inline(__always)
    private static func folded(
        _ word: UInt64, _ table: UnsafeBufferPointer<UInt32>, at place: Int
    ) -> UInt32 {
        func entry(_ index: Int) -> UInt32 {
            table[(place &+ index) &* 256 &+ Int(truncatingIfNeeded: word >> (8 &* UInt64(index)) & 0xFF)]
        }
        let low = entry(0) ^ entry(1) ^ (entry(2) ^ entry(3))
        return low ^ (entry(4) ^ entry(5) ^ (entry(6) ^ entry(7)))
    }
}
