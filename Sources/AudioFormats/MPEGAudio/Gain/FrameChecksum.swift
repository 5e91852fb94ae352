/// The CRC of a protected Layer III frame (ISO/IEC 11172-3 §2.4.3.1): polynomial x¹⁶ + x¹⁵ + x² + 1, initial value all ones,
/// over the last two bytes of the header and the side information.
public struct FrameChecksum: Sendable, Hashable {
    /// The CRC as stored after the header, big-endian.
    public let value: UInt16

    /// Computes the CRC of a frame.
    /// - Parameters:
    ///   - bytes: memory that contains the frame.
    ///   - offset: offset of its header.
    /// - Returns: nil if there is no Layer III frame at this offset, or its side information is incomplete.
    public init?(ofFrameIn bytes: RawSpan, at offset: Int) {
        guard let header = MPEGFrameHeader(bytes, at: offset), header.layer == .layer3,
            offset + header.overheadLength <= bytes.byteCount
        else { return nil }
        self.init(
            header: header, sideInformation: bytes,
            at: offset + header.overheadLength - header.sideInformationLength)
    }

    init(header: MPEGFrameHeader, sideInformation bytes: RawSpan, at offset: Int) {
        var sum: UInt16 = 0xFFFF
        sum = Self.adding(UInt8(truncatingIfNeeded: header.word >> 8), to: sum)
        sum = Self.adding(UInt8(truncatingIfNeeded: header.word), to: sum)
        for position in offset..<offset + header.sideInformationLength {
            sum = Self.adding(bytes.byte(at: position), to: sum)
        }
        value = sum
    }

    @inline(__always)
    private static func adding(_ byte: UInt8, to sum: UInt16) -> UInt16 {
        sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)]
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }
}
