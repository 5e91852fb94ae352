/// A run of contiguous frames whose lengths are stored in the same form.
struct FrameRun: Sendable, Hashable {
    /// Forms of storing frame lengths.
    enum Lengths: Sendable, Hashable {
        case paced(FramePacing)
        case packed(PackedLengths)
    }

    /// Index of the run's first frame.
    let firstFrame: Int
    let frameCount: Int
    /// Byte offset of the first frame.
    let offset: Int
    let byteCount: Int
    let lengths: Lengths

    var frames: Range<Int> { firstFrame..<firstFrame + frameCount }
    var endOffset: Int { offset + byteCount }
}

/// Frame lengths of a constant bit rate, by the padding arithmetic of encoders.
///
/// A frame with an exact length of `base + numerator / denominator` bytes gets a padding byte whenever the fractions have added
/// up to a whole byte. Frame *i* starts `i × base + ⌊(phase + i × numerator) / denominator⌋` bytes after the first frame of the
/// run, so that a single number, the phase, determines every offset.
struct FramePacing: Sendable, Hashable {
    let base: Int
    let numerator: Int
    let denominator: Int
    /// 0 ..< denominator.
    var phase: Int

    func offset(ofFrame i: Int) -> Int {
        i * base + (phase + i * numerator) / denominator
    }
}

/// Frame lengths as bit-packed indices into a small dictionary, with an offset stored every 64 frames.
struct PackedLengths: Sendable, Hashable {
    static let framesPerCheckpoint = 64
    static let maximumWidth = 5

    /// The distinct lengths, 1…32 entries.
    let dictionary: [UInt16]
    /// Bits per frame, 1…5.
    let width: Int
    /// Dictionary indices, least significant bits first.
    let symbols: [UInt8]
    /// Offsets of frames 64, 128, … relative to the start of the run.
    let checkpoints: [UInt32]

    /// Packs lengths given as dictionary indices.
    init(dictionary: [UInt16], symbols unpacked: [UInt8]) {
        self.dictionary = dictionary
        width = Self.width(forDictionaryOf: dictionary.count)
        var packed = [UInt8](repeating: 0, count: (unpacked.count * width + 7) / 8)
        for (i, symbol) in unpacked.enumerated() {
            let bit = i * width
            let shifted = UInt16(symbol) << UInt16(bit & 7)
            packed[bit >> 3] |= UInt8(truncatingIfNeeded: shifted)
            if shifted > 0xFF { packed[bit >> 3 + 1] |= UInt8(shifted >> 8) }
        }
        symbols = packed
        checkpoints = Self.checkpoints(dictionary, unpacked.count) { Int(unpacked[$0]) }
    }

    /// Uses packed symbols; returns nil if they refer to lengths not in the dictionary.
    init?(dictionary: [UInt16], packed: [UInt8], frameCount: Int) {
        let width = Self.width(forDictionaryOf: dictionary.count)
        guard packed.count == (frameCount * width + 7) / 8 else { return nil }
        for i in 0..<frameCount where Self.symbol(i, width, packed) >= dictionary.count { return nil }
        self.dictionary = dictionary
        self.width = width
        symbols = packed
        checkpoints = Self.checkpoints(dictionary, frameCount) { Self.symbol($0, width, packed) }
    }

    static func width(forDictionaryOf count: Int) -> Int {
        max(1, Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
    }

    private static func checkpoints(_ dictionary: [UInt16], _ count: Int, symbol: (Int) -> Int) -> [UInt32] {
        var offset = 0
        var checkpoints: [UInt32] = []
        checkpoints.reserveCapacity(count / framesPerCheckpoint)
        for i in 0..<count {
            if i > 0, i % framesPerCheckpoint == 0 { checkpoints.append(UInt32(truncatingIfNeeded: offset)) }
            offset += Int(dictionary[symbol(i)])
        }
        return checkpoints
    }

    private static func symbol(_ i: Int, _ width: Int, _ packed: [UInt8]) -> Int {
        let bit = i * width
        var word = UInt16(packed[bit >> 3])
        if bit & 7 + width > 8 { word |= UInt16(packed[bit >> 3 + 1]) << 8 }
        return Int(word >> UInt16(bit & 7)) & (1 << width - 1)
    }

    /// Returns the length of frame `i` of the run.
    func length(ofFrame i: Int) -> Int {
        Int(dictionary[Self.symbol(i, width, symbols)])
    }

    /// Returns the offset of frame `i` relative to the start of the run: at most 63 additions after the nearest checkpoint.
    func offset(ofFrame i: Int) -> Int {
        let block = i / Self.framesPerCheckpoint
        var offset = block == 0 ? 0 : Int(checkpoints[block - 1])
        for j in block * Self.framesPerCheckpoint..<i { offset += length(ofFrame: j) }
        return offset
    }
}
