internal import AudioFrames

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
        let fields = [UInt8(truncatingIfNeeded: header.word >> 8), UInt8(truncatingIfNeeded: header.word)]
        let start = Self.table.advanced(0xFFFF << 16, over: fields.span.bytes)
        let sum = Self.table.advanced(
            start, over: bytes.extracting(offset..<offset + header.sideInformationLength))
        value = UInt16(truncatingIfNeeded: sum >> 16)
    }

    private static let table = ChecksumTable(polynomial: 0x8005 << 16)
}
