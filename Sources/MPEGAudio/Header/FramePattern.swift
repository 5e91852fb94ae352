/// What all headers of one stream have in common, and the frame lengths that they may state.
///
/// Two headers belong together when version, layer, sampling rate and the number of channels agree. Bit
/// rate, padding, protection and the stereo mode may change from frame to frame.
struct FramePattern {
    /// Sync, version, layer and sampling rate.
    private static let mask: UInt32 = 0xFFFE_0C00

    let header: MPEGFrameHeader
    private let key: UInt32
    private let isMono: Bool
    /// Frame length in bytes by bit-rate index and padding; 0 where the stream may not use that index.
    private var lengths: InlineArray<32, UInt16>

    /// The pattern of the stream that `header` belongs to.
    ///
    /// - Parameter freeFormatLength: bytes of an unpadded frame where the header is of free format. Without
    ///   it a free-format pattern matches nothing.
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

    /// The length in bytes of the frame that `word` begins, or 0 where the header is not of this stream.
    @inline(__always)
    func length(of word: UInt32) -> Int {
        guard word & Self.mask == key, (word & 0xC0 == 0xC0) == isMono else { return 0 }
        return Int(lengths[Int(word >> 11) & 0x1E | Int(word >> 9) & 1])
    }

    /// Whether two headers agree in sync, version, layer and sampling rate.
    @inline(__always)
    static func mayAgree(_ a: UInt32, _ b: UInt32) -> Bool { (a ^ b) & mask == 0 }

    /// Whether the two headers state the same version, layer, sampling rate and number of channels.
    func agrees(with other: FramePattern) -> Bool {
        key == other.key && isMono == other.isMono
    }
}
