public import AudioFrames

/// The position of a frame in its file and in time.
public struct FLACFrame: Sendable, Hashable {
    /// Byte range in the file.
    public let range: Range<Int>
    /// First sample, per channel.
    public let startSample: Int
    /// Samples per channel.
    public let sampleCount: Int
    /// Whether its checksum is right.
    public let isIntact: Bool
}

/// The positions of all frames of a FLAC stream. A usual frame has the block size of the first one.
public typealias FLACFrameIndex = PackedIndex<FLACFrame>

extension FLACFrame: IndexedFrame {
    /// Its bytes.
    public var ranges: [Range<Int>] { [range] }

    /// Reads the next frame: its size · 4 + flags; for one that does not follow the previous one, or has another block size, the
    /// gap before it and its block size.
    public static func next(
        _ cursor: inout IndexCursor, of entries: [UInt8], usualSamples: Int
    ) -> FLACFrame {
        let head = cursor.number(entries)
        var samples = usualSamples
        if head & 2 != 0 {
            cursor.offset += cursor.number(entries)
            samples = cursor.number(entries)
        }
        let (start, sample) = (cursor.offset, cursor.sample)
        cursor.offset += head >> 2
        cursor.sample += samples
        return FLACFrame(
            range: start..<cursor.offset, startSample: sample, sampleCount: samples, isIntact: head & 1 == 0)
    }
}

extension FLACFrameIndex {
    /// Appends a frame, which must start at or after the end of the last one.
    mutating func append(_ range: Range<Int>, sampleCount: Int, isIntact: Bool) {
        let gap = range.lowerBound - endOffset
        let isUnusual = gap > 0 || sampleCount != usualSamples
        append(byteCount: range.count, sampleCount: sampleCount, endOffset: range.upperBound) { entries in
            PackedNumbers.put(range.count << 2 | (isUnusual ? 2 : 0) | (isIntact ? 0 : 1), to: &entries)
            guard isUnusual else { return }
            PackedNumbers.put(gap, to: &entries)
            PackedNumbers.put(sampleCount, to: &entries)
        }
    }
}
