internal import AudioFrames

/// The CRC-8 of frame headers: polynomial x⁸ + x² + x + 1, initial value 0 (RFC 9639 §9.1.8).
enum CRC8 {
    private static let table = ChecksumTable(polynomial: 0x07 << 24)

    static func checksum(_ bytes: RawSpan, in range: Range<Int>) -> UInt8 {
        UInt8(truncatingIfNeeded: table.advanced(0, over: bytes.extracting(range)) >> 24)
    }
}
