public import AudioFrames

extension FLACFrameIndex {
    /// "FLIX", and the version of the format.
    private static var magic: [UInt8] { Array("FLIX".utf8) + [1] }
    /// No frame is larger: 65,535 samples of 33 bits in eight channels, and headers.
    private static var longestFrame: Int { 1 << 22 }

    /// Returns the index as bytes, which ``init(decoding:start:)`` reads. Offsets are relative to the first frame.
    public func encoded() -> [UInt8] {
        var relative = FLACFrameIndex(
            usualSamples: usualSamples, start: count > 0 ? self[0].range.lowerBound : start)
        forEach { frame in
            relative.append(frame.range, sampleCount: frame.sampleCount, isIntact: frame.isIntact)
            return true
        }
        var bytes = Self.magic
        PackedNumbers.put(usualSamples, to: &bytes)
        PackedNumbers.put(count, to: &bytes)
        return bytes + relative.entries
    }

    /// Reads an index.
    /// - Parameters:
    ///   - bytes: the result of ``encoded()``.
    ///   - start: offset of the first frame in the file.
    /// - Throws: `malformedIndex`.
    public init(decoding bytes: [UInt8], start: Int = 0) throws(AudioFormatError) {
        guard bytes.starts(with: Self.magic) else {
            throw AudioFormatError(.malformedIndex, "the stored frame index is of an unknown version")
        }
        var reader = PackedNumberReader(bytes, position: Self.magic.count)
        let usual = try reader.number(in: 1...0xFFFF)
        let count = try reader.number(in: 0...bytes.count)
        self.init(usualSamples: usual, start: start)
        var offset = start
        for _ in 0..<count {
            let head = try reader.number(in: 4...Self.longestFrame << 2 | 3)
            var size = usual
            if head & 2 != 0 {
                offset += try reader.number(in: 0...1 << 40)
                size = try reader.number(in: 1...0xFFFF)
            }
            append(offset..<offset + head >> 2, sampleCount: size, isIntact: head & 1 == 0)
            offset += head >> 2
        }
        try reader.finish()
    }
}
