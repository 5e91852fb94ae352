/// The common properties of all headers in one stream, and the frame lengths they may specify.
///
/// Two headers belong to the same stream if version, layer, sample rate and number of channels agree. Bit rate, padding,
/// protection and the stereo mode may change from frame to frame.
struct FramePattern {
    /// Sync, version, layer and sample rate.
    private static let mask: UInt32 = 0xFFFE_0C00

    let header: MPEGFrameHeader
    private let key: UInt32
    private let isMono: Bool
    /// Frame length in bytes by bit-rate index and padding; 0 if the index is not allowed in this stream.
    private var lengths: InlineArray<32, UInt16>

    /// Creates the pattern of the stream that `header` belongs to.
    ///
    /// - Parameter freeFormatLength: length of an unpadded frame in bytes if the header is free-format. Without it a
    ///   free-format pattern matches nothing.
    init(_ header: MPEGFrameHeader, freeFormatLength: Int = 0) {
        self.header = header
        key = header.word & Self.mask
        isMono = header.channelMode == .mono
        lengths = InlineArray(repeating: 0)
        if header.isFreeFormat {
            guard freeFormatLength > 0 else { return }
            lengths[0] = UInt16(freeFormatLength)
            lengths[1] = UInt16(freeFormatLength + header.slotLength)
            return
        }
        for index in 1..<15 {
            for padding in 0..<2 {
                let word = header.word & ~0xF200 | UInt32(index) << 12 | UInt32(padding) << 9
                guard let length = MPEGFrameHeader(word: word)?.frameLength else { continue }
                lengths[index << 1 | padding] = UInt16(length)
            }
        }
    }

    /// Returns the length in bytes of the frame that starts with `word`, or 0 if the header does not belong to this stream.
    @inline(__always)
    func length(of word: UInt32) -> Int {
        guard word & Self.mask == key, (word & 0xC0 == 0xC0) == isMono else { return 0 }
        return Int(lengths[Int(word >> 11) & 0x1E | Int(word >> 9) & 1])
    }

    /// Whether two headers agree in sync, version, layer and sample rate.
    @inline(__always)
    static func mayAgree(_ a: UInt32, _ b: UInt32) -> Bool { (a ^ b) & mask == 0 }

    /// Whether two patterns have the same version, layer, sample rate and number of channels.
    func agrees(with other: FramePattern) -> Bool {
        key == other.key && isMono == other.isMono
    }
}
