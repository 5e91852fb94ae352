public import AudioFrames

/// The position of an access unit, the bytes that a decoder takes at once, in its file and in time.
public struct AccessUnit: Sendable, Hashable {
    /// Byte range in the file.
    public let range: Range<Int>
    /// First sample of its decoded audio, per channel, before anything is trimmed.
    public let startSample: Int
    /// Samples per channel.
    public let sampleCount: Int
}

/// The positions of all access units of a track.
public typealias AccessUnitIndex = PackedIndex<AccessUnit>

extension AccessUnit: IndexedFrame {
    /// Its bytes.
    public var ranges: [Range<Int>] { [range] }

    /// Reads the next unit: its size · 2 + 1 if it does not follow the previous one or has another number of samples: then the
    /// distance to the previous one, with its sign in the lowest bit, and the number of samples.
    public static func next(
        _ cursor: inout IndexCursor, of entries: [UInt8], usualSamples: Int
    ) -> AccessUnit {
        let head = cursor.number(entries)
        var samples = usualSamples
        if head & 1 != 0 {
            cursor.offset += PackedNumbers.unfolded(cursor.number(entries))
            samples = cursor.number(entries)
        }
        let (start, sample) = (cursor.offset, cursor.sample)
        cursor.offset += head >> 1
        cursor.sample += samples
        return AccessUnit(range: start..<cursor.offset, startSample: sample, sampleCount: samples)
    }
}

extension AccessUnitIndex {
    /// Appends a unit, wherever it is.
    mutating func append(_ range: Range<Int>, sampleCount: Int) {
        let distance = range.lowerBound - endOffset
        let isUnusual = distance != 0 || sampleCount != usualSamples
        append(byteCount: range.count, sampleCount: sampleCount, endOffset: range.upperBound) { entries in
            PackedNumbers.put(range.count << 1 | (isUnusual ? 1 : 0), to: &entries)
            guard isUnusual else { return }
            PackedNumbers.put(PackedNumbers.folded(distance), to: &entries)
            PackedNumbers.put(sampleCount, to: &entries)
        }
    }

    /// Returns the same units with other numbers of samples.
    /// - Parameter start: the position that the first unit's is stored relative to.
    func mapped(usualSamples: Int, start: Int, _ sampleCount: (AccessUnit) -> Int) -> AccessUnitIndex {
        var result = AccessUnitIndex(usualSamples: usualSamples, start: start)
        forEach { unit in
            result.append(unit.range, sampleCount: sampleCount(unit))
            return true
        }
        return result
    }
}
