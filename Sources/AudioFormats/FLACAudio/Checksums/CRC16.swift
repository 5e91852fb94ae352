internal import AudioFrames

/// The CRC-16 of whole frames: polynomial x¹⁶ + x¹⁵ + x² + 1, initial value 0 (RFC 9639 §9.3).
///
/// The checksum of a frame including its last two bytes, which are the checksum of the rest, is 0.
struct CRC16 {
    private static let table = ChecksumTable(polynomial: 0x8005 << 16)

    /// The checksum of the bytes so far, in the high bits.
    private var sum: UInt32 = 0

    /// The checksum of the bytes so far.
    var value: UInt16 { UInt16(truncatingIfNeeded: sum >> 16) }

    /// Appends bytes.
    mutating func update(_ bytes: RawSpan, in range: Range<Int>) {
        sum = Self.table.advanced(sum, over: bytes.extracting(range))
    }
}
