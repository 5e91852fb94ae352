/// The ID3 tag with the timestamp at the start of a packed audio segment (RFC 8216, section 3.4).
package enum PackedAudioTimestamp {
    private static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// Maximum timestamp: 33 bits.
    package static let largest: UInt64 = 0x1_FFFF_FFFF

    /// Length of the tag in bytes.
    package static let byteCount = 73

    /// Returns an ID3v2.4 tag with one PRIV frame.
    /// - Parameter timestamp: Time of the segment's first sample in 90 kHz units, 33 bits.
    package static func tag(timestamp: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            _ = buffer.update(fromContentsOf: head)
            for index in 0..<8 {
                buffer[head.count + index] = UInt8(truncatingIfNeeded: timestamp >> (56 - 8 * index))
            }
            count = byteCount
        }
    }

    /// The tag up to the timestamp.
    private static let head: [UInt8] = {
        let content = Array(owner.utf8) + [0]
        let frame = Array("PRIV".utf8) + size(content.count + 8) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + size(frame.count + 8) + frame
    }()

    /// Encodes a size as an ID3v2.4 synchsafe integer.
    private static func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(count >> (21 - 7 * $0) & 0x7F) } }
}
