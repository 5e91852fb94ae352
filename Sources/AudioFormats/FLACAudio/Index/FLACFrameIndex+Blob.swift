extension FLACFrameIndex {
    /// "FLIX", and the version of the format.
    private static let magic = Array("FLIX".utf8) + [1]
    /// No frame is larger: 65,535 samples of 33 bits in eight channels, and headers.
    private static let longestFrame = 1 << 22

    /// Returns the index as bytes, which ``init(decoding:)`` reads. Offsets are relative to the first frame.
    public func encoded() -> [UInt8] {
        var writer = NumberWriter(bytes: Self.magic)
        writer.put(blockSize)
        writer.put(count)
        var end: Int?
        forEach { frame in
            let gap = frame.range.lowerBound - (end ?? frame.range.lowerBound)
            let isUnusual = gap > 0 || frame.blockSize != blockSize
            writer.put(frame.range.count << 2 | (isUnusual ? 2 : 0) | (frame.isIntact ? 0 : 1))
            if isUnusual {
                writer.put(gap)
                writer.put(frame.blockSize)
            }
            end = frame.range.upperBound
            return true
        }
        return writer.bytes
    }

    /// Reads an index.
    /// - Parameters:
    ///   - bytes: the result of ``encoded()``.
    ///   - start: offset of the first frame in the file.
    /// - Throws: `malformedIndex`.
    public init(decoding bytes: [UInt8], start: Int = 0) throws(FLACAudioError) {
        guard bytes.starts(with: Self.magic) else {
            throw FLACAudioError(.malformedIndex, "the stored frame index is of an unknown version")
        }
        var reader = NumberReader(bytes: bytes, position: Self.magic.count)
        let usual = try reader.number(in: 1...0xFFFF)
        let count = try reader.number(in: 0...bytes.count)
        self.init(blockSize: usual, start: start)
        var offset = start
        for _ in 0..<count {
            let head = try reader.number(in: 4...Self.longestFrame << 2 | 3)
            var size = usual
            if head & 2 != 0 {
                offset += try reader.number(in: 0...1 << 40)
                size = try reader.number(in: 1...0xFFFF)
            }
            append(offset..<offset + head >> 2, blockSize: size, isIntact: head & 1 == 0)
            offset += head >> 2
        }
        guard reader.isAtEnd else {
            throw FLACAudioError(.malformedIndex, "the stored frame index has surplus bytes")
        }
    }
}

/// Writes numbers with seven bits per byte, low bits first, the top bit set on all but the last.
private struct NumberWriter {
    var bytes: [UInt8]

    mutating func put(_ number: Int) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads such numbers with bounds checks.
private struct NumberReader {
    let bytes: [UInt8]
    var position: Int

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(in bounds: ClosedRange<Int>) throws(FLACAudioError) -> Int {
        var number = 0
        var shift = 0
        while position < bytes.count, shift < 56 {
            let byte = bytes[position]
            position += 1
            number |= Int(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            guard bounds.contains(number) else { break }
            return number
        }
        throw FLACAudioError(
            .malformedIndex, "the stored frame index is truncated or contains an invalid number")
    }
}
