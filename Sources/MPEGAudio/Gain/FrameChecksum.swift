/// The CRC of a protected layer III frame (ISO/IEC 11172-3 §2.4.3.1): polynomial x¹⁶ + x¹⁵ + x² + 1, begun with ones, over the last
/// two bytes of the header and the side information.
public struct FrameChecksum: Sendable, Hashable {
    /// The sum, as it stands after the header, big-endian.
    public let value: UInt16

    /// The sum that a frame should have.
    /// - Parameters:
    ///   - bytes: memory that holds the frame.
    ///   - offset: where its header begins.
    /// - Returns: nil where no layer III frame stands there, or not all of its side information is there.
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
