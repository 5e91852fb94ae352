public import AudioFrames

/// The position of a packet of audio in its file and in time.
public struct OggPacket: Sendable, Hashable {
    /// Byte ranges in the file, in order and none of them empty: several if the packet crosses pages.
    public let ranges: [Range<Int>]
    /// First sample per channel that decoding it gives, counted from the first packet of the file, before anything is dropped.
    public let startSample: Int
    /// Samples per channel that decoding it gives: 0 for the first packet of a Vorbis link.
    public let sampleCount: Int

    /// Returns the packet's bytes. Traps if the file is shorter than the one that was scanned.
    public func bytes(of file: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(byteCount)
        for range in ranges {
            file.extracting(range).withUnsafeBytes { result.append(contentsOf: $0) }
        }
        return result
    }
}

extension OggPacket: IndexedFrame {
    /// Reads the next packet: its size · 4 + flags, its duration if that is unusual, and its gaps: their number, and for each the
    /// bytes of the packet before it and its size.
    public static func next(
        _ cursor: inout IndexCursor, of entries: [UInt8], usualSamples: Int
    ) -> OggPacket {
        let head = cursor.number(entries)
        let samples = head & 2 != 0 ? cursor.number(entries) : usualSamples
        let size = head >> 2
        var ranges: [Range<Int>] = []
        var done = 0
        for _ in 0..<(head & 1 != 0 ? cursor.number(entries) : 0) {
            let before = cursor.number(entries)
            if before > done { ranges.append(cursor.offset..<cursor.offset + before - done) }
            cursor.offset += before - done + cursor.number(entries)
            done = before
        }
        if size > done { ranges.append(cursor.offset..<cursor.offset + size - done) }
        cursor.offset += size - done
        defer { cursor.sample += samples }
        return OggPacket(ranges: ranges, startSample: cursor.sample, sampleCount: samples)
    }
}

extension PackedIndex<OggPacket> {
    /// Appends a packet.
    /// - Parameters:
    ///   - ranges: its bytes: ranges in order, at or after the end of the last packet, none of them empty.
    ///   - sampleCount: samples per channel.
    mutating func append(_ ranges: [Range<Int>], sampleCount: Int) {
        var gaps: [Int] = []
        var size = 0
        var end = endOffset
        for range in ranges {
            if range.lowerBound > end { gaps += [size, range.lowerBound - end] }
            size += range.count
            end = range.upperBound
        }
        let isUsual = sampleCount == usualSamples
        append(byteCount: size, sampleCount: sampleCount, endOffset: end) { entries in
            PackedNumbers.put(size << 2 | (isUsual ? 0 : 2) | (gaps.isEmpty ? 0 : 1), to: &entries)
            if !isUsual { PackedNumbers.put(sampleCount, to: &entries) }
            guard !gaps.isEmpty else { return }
            PackedNumbers.put(gaps.count / 2, to: &entries)
            for number in gaps { PackedNumbers.put(number, to: &entries) }
        }
    }
}
