/// The CRC-8 of frame headers: polynomial x⁸ + x² + x + 1, initial value 0 (RFC 9639 §9.1.8).
enum CRC8 {
    private static let table: [UInt8] = (0..<256).map { index in
        (0..<8).reduce(UInt8(index)) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
    }

    static func checksum(_ bytes: RawSpan, in range: Range<Int>) -> UInt8 {
        range.reduce(0) { table[Int($0 ^ bytes.octet($1))] }
    }
}
