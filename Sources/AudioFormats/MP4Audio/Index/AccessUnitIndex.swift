/// The positions of all access units of a track, packed: two to three bytes for a usual one.
public struct AccessUnitIndex: Sendable, Hashable {
    /// Every 64th unit is found directly.
    private static let interval = 64

    /// The state of a reader before a unit.
    private struct Mark: Sendable, Hashable {
        var entry = 0
        var offset = 0
        var sample = 0
    }

    /// Samples per channel of a usual unit.
    public let unitSamples: Int
    /// Number of units.
    public private(set) var count = 0
    /// Total samples per channel.
    public var sampleCount: Int { end.sample }
    /// Total size of the units in bytes.
    public private(set) var byteCount = 0
    /// The position that the first unit's is stored relative to.
    let origin: Int
    private var marks: [Mark] = []
    private var end: Mark
    /// For each unit its size · 2 + 1 if it does not follow the previous one or has another number of samples: then the
    /// distance to the previous one, with its sign in the lowest bit, and the number of samples.
    private(set) var entries: [UInt8] = []

    /// Creates an index without units.
    /// - Parameters:
    ///   - unitSamples: samples per channel of a usual unit.
    ///   - origin: the position that the first unit's is stored relative to.
    init(unitSamples: Int, origin: Int) {
        self.unitSamples = unitSamples
        self.origin = origin
        end = Mark(offset: origin)
    }

    /// Appends a unit, wherever it is.
    mutating func append(_ range: Range<Int>, sampleCount: Int) {
        let isUnusual = range.lowerBound != end.offset || sampleCount != unitSamples
        if count % Self.interval == 0 {
            end.entry = entries.count
            marks.append(end)
        }
        PackedNumbers.put(range.count << 1 | (isUnusual ? 1 : 0), to: &entries)
        if isUnusual {
            PackedNumbers.put(PackedNumbers.folded(range.lowerBound - end.offset), to: &entries)
            PackedNumbers.put(sampleCount, to: &entries)
        }
        end.offset = range.upperBound
        end.sample += sampleCount
        count += 1
        byteCount += range.count
    }

    /// Returns the unit at a position in the stream. Traps outside `0..<count`.
    public subscript(_ unit: Int) -> AccessUnit {
        precondition((0..<count).contains(unit), "access unit \(unit) is not in the index")
        var cursor = marks[unit / Self.interval]
        var found = next(&cursor)
        for _ in 0..<unit % Self.interval { found = next(&cursor) }
        return found
    }

    private func next(_ cursor: inout Mark) -> AccessUnit {
        let head = PackedNumbers.next(in: entries, &cursor.entry)
        var samples = unitSamples
        if head & 1 != 0 {
            cursor.offset += PackedNumbers.unfolded(PackedNumbers.next(in: entries, &cursor.entry))
            samples = PackedNumbers.next(in: entries, &cursor.entry)
        }
        let start = cursor.offset
        let sample = cursor.sample
        cursor.offset += head >> 1
        cursor.sample += samples
        return AccessUnit(range: start..<cursor.offset, startSample: sample, sampleCount: samples)
    }

    /// Calls a closure with each unit in order, until it returns false.
    /// - Parameter units: the units, by default all; must lie within `0..<count`.
    public func forEach<Failure: Error>(
        in units: Range<Int>? = nil, _ body: (AccessUnit) throws(Failure) -> Bool
    ) throws(Failure) {
        let units = units ?? 0..<count
        precondition(units.clamped(to: 0..<count) == units, "access units \(units) are not in the index")
        guard !units.isEmpty else { return }
        var cursor = marks[units.lowerBound / Self.interval]
        for _ in 0..<units.lowerBound % Self.interval { _ = next(&cursor) }
        for _ in units {
            guard try body(next(&cursor)) else { return }
        }
    }

    /// Returns the unit that contains a sample; nil for samples outside the stream.
    public func unit(containing sample: Int) -> Int? {
        guard sample >= 0, sample < sampleCount else { return nil }
        // The last mark at or before the sample.
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].sample <= sample { low = middle } else { high = middle }
        }
        var found = low * Self.interval
        forEach(in: found..<count) { unit in
            guard unit.startSample + unit.sampleCount <= sample else { return false }
            found += 1
            return true
        }
        return found
    }

    /// Returns the same units with other numbers of samples.
    /// - Parameter origin: the position that the first unit's is stored relative to.
    func mapped(unitSamples: Int, origin: Int, _ sampleCount: (AccessUnit) -> Int) -> AccessUnitIndex {
        var result = AccessUnitIndex(unitSamples: unitSamples, origin: origin)
        forEach { unit in
            result.append(unit.range, sampleCount: sampleCount(unit))
            return true
        }
        return result
    }
}
