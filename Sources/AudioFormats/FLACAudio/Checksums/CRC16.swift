/// The CRC-16 of whole frames: polynomial x¹⁶ + x¹⁵ + x² + 1, initial value 0 (RFC 9639 §9.3).
///
/// The checksum of a frame including its last two bytes, which are the checksum of the rest, is 0.
struct CRC16 {
    /// The checksum of the bytes so far.
    private(set) var value: UInt16 = 0

    /// Eight tables of 256 entries: table k advances a byte past k bytes of zeros, so that eight bytes take one step.
    private static let tables: [UInt16] = {
        var tables = (0..<256).map { index in
            (0..<8).reduce(UInt16(index) << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
        }
        for place in 256..<8 * 256 {
            let before = tables[place - 256]
            tables.append(before << 8 ^ tables[Int(before >> 8)])
        }
        return tables
    }()

    /// Appends bytes.
    mutating func update(_ bytes: RawSpan, in range: Range<Int>) {
        let crc = value
        value = Self.tables.withUnsafeBufferPointer { table in
            bytes.extracting(range).withUnsafeBytes { Self.advance(crc, over: $0, table) }
        }
    }

    private static func advance(
        _ start: UInt16, over bytes: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<UInt16>
    ) -> UInt16 {
        var crc = start
        var position = 0
        while position &+ 8 <= bytes.count {
            let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let first = word ^ UInt64(crc) << 48
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
            crc = crc << 8 ^ table[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ bytes[position])]
            position &+= 1
        }
        return crc
    }
}
