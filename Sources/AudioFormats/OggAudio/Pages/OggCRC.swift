/// The CRC-32 of Ogg pages: polynomial 0x04C11DB7, not reflected, initial value 0, no final inversion (RFC 3533 §6).
public struct OggCRC: Sendable {
    /// The checksum of the bytes so far.
    public private(set) var value: UInt32 = 0

    /// Creates the checksum of no bytes.
    public init() {}

    /// Eight tables of 256 entries: table k advances a byte past k bytes of zeros, so that eight bytes take one step.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { index in
            (0..<8).reduce(UInt32(index) << 24) { crc, _ in
                crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7
            }
        }
        for place in 256..<8 * 256 {
            let before = tables[place - 256]
            tables.append(before << 8 ^ tables[Int(before >> 24)])
        }
        return tables
    }()

    /// Appends bytes.
    public mutating func update(_ bytes: RawSpan) {
        let crc = value
        value = Self.tables.withUnsafeBufferPointer { table in
            bytes.withUnsafeBytes { Self.advance(crc, over: $0, table) }
        }
    }

    private static func advance(
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
