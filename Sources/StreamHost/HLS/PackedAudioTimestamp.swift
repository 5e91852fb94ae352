/// The ID3 tag that begins a segment of packed audio and tells its time (RFC 8216, section 3.4).
enum PackedAudioTimestamp {
    private static let owner = "com.apple.streaming.transportStreamTimestamp"

    /// The largest time: 33 bits.
    static let largest: UInt64 = 0x1_FFFF_FFFF

    /// Length of the tag.
    static let byteCount = 73

    /// The tag: ID3v2.4 with one PRIV frame.
    /// - Parameter timestamp: time of the segment's first sample in 90 kHz units; 33 bits.
    static func tag(timestamp: UInt64) -> [UInt8] {
        let content =
            Array(owner.utf8) + [0] + (0..<8).map { UInt8(truncatingIfNeeded: timestamp >> (56 - 8 * $0)) }
        let frame = Array("PRIV".utf8) + size(content.count) + [0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0] + size(frame.count) + frame
    }

    /// A size in ID3v2.4's synchsafe form.
    private static func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(count >> (21 - 7 * $0) & 0x7F) } }
}
