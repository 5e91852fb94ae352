/// The sample tables of a track: where its access units are (ISO/IEC 14496-12 §8.6 and §8.7).
///
/// Time is linear in the number of bytes: every unit has bytes of its own, and those of all units together are no more than the
/// file has. Tables that claim more end there.
struct SampleTable {
    /// Runs of equal durations.
    private let durations: Range<Int>
    /// Runs of chunks with the same number of units.
    private let chunkRuns: Range<Int>
    /// Sizes of units, their width in bits, and the size if all have the same.
    private let sizes: Range<Int>
    private let sizeWidth: Int
    private let commonSize: Int
    /// Number of units that the table of sizes states.
    let unitCount: Int
    /// Offsets of chunks, and their width in bytes.
    private let offsets: Range<Int>
    private let offsetWidth: Int

    /// Finds the tables in an `stbl` box. Missing ones are empty.
    init(_ bytes: RawSpan, _ table: Range<Int>) {
        func entries(_ type: BoxType) -> Range<Int>? {
            MP4Box.first(type, bytes, in: table)?.fullContents
        }
        /// The entries of a table that starts with their number.
        func counted(_ range: Range<Int>?, _ width: Int) -> Range<Int> {
            guard let range, let count = bytes.number(at: range.lowerBound, byteCount: 4, in: range) else {
                return 0..<0
            }
            let start = range.lowerBound + 4
            return start..<start + min(count, (range.upperBound - start) / width) * width
        }
        durations = counted(entries("stts"), 8)
        chunkRuns = counted(entries("stsc"), 12)
        if let range = entries("stco") {
            (offsets, offsetWidth) = (counted(range, 4), 4)
        } else {
            (offsets, offsetWidth) = (counted(entries("co64"), 8), 8)
        }
        let range = entries("stsz") ?? entries("stz2") ?? 0..<0
        let isCompact = MP4Box.first("stsz", bytes, in: table) == nil
        let first = bytes.number(at: range.lowerBound, byteCount: 4, in: range) ?? 0
        unitCount = bytes.number(at: range.lowerBound + 4, byteCount: 4, in: range) ?? 0
        commonSize = isCompact ? 0 : first
        sizeWidth = isCompact ? first & 0xFF : 32
        sizes = min(range.lowerBound + 8, range.upperBound)..<range.upperBound
    }

    /// Returns the size of a unit; nil if the table does not reach so far.
    private func size(of unit: Int, _ bytes: RawSpan) -> Int? {
        guard unit < unitCount else { return nil }
        guard commonSize == 0 else { return commonSize }
        switch sizeWidth {
        case 8, 16, 32:
            return bytes.number(
                at: sizes.lowerBound + unit * sizeWidth / 8, byteCount: sizeWidth / 8, in: sizes)
        case 4:
            return bytes.number(at: sizes.lowerBound + unit / 2, byteCount: 1, in: sizes).map {
                unit % 2 == 0 ? $0 >> 4 : $0 & 15
            }
        default: return nil
        }
    }

    /// Passes all units to a collector in order.
    func collect(_ bytes: RawSpan, into collector: inout UnitCollector) {
        var run = ChunkRun(next: chunkRuns.lowerBound)
        var time = DurationRun(next: durations.lowerBound)
        var unit = 0
        for chunk in 0..<offsets.count / offsetWidth {
            guard
                let offset = bytes.number(
                    at: offsets.lowerBound + chunk * offsetWidth, byteCount: offsetWidth, in: offsets)
            else { continue }
            run.advance(to: chunk + 1, bytes, chunkRuns)
            let end = unit + run.unitsPerChunk
            var position = offset
            while unit < end {
                guard let size = size(of: unit, bytes) else { break }
                // The rest of the chunk is missing as well.
                guard size <= collector.fileSize, position <= collector.fileSize - size else { break }
                guard collector.append(position..<position + size, duration: time.next(bytes, durations))
                else { return }
                position += size
                unit += 1
            }
            guard end <= unitCount else { break }
            time.skip(end - unit, bytes, durations)
            unit = end
        }
        collector.missingUnits += max(0, unitCount - collector.tableUnits)
    }

    /// The run of chunks that a chunk belongs to.
    private struct ChunkRun {
        var next: Int
        var unitsPerChunk = 0

        /// Reads on to the run of a chunk; the first has number one.
        mutating func advance(to chunk: Int, _ bytes: RawSpan, _ table: Range<Int>) {
            while let first = bytes.number(at: next, byteCount: 4, in: table), first <= chunk,
                let count = bytes.number(at: next + 4, byteCount: 4, in: table)
            {
                unitsPerChunk = count
                next += 12
            }
        }
    }

    /// The run of durations that a unit belongs to.
    private struct DurationRun {
        var next: Int
        var left = 0
        var duration = 0

        mutating func next(_ bytes: RawSpan, _ table: Range<Int>) -> Int {
            while left == 0, read(bytes, table) {}
            left -= left > 0 ? 1 : 0
            return duration
        }

        mutating func skip(_ count: Int, _ bytes: RawSpan, _ table: Range<Int>) {
            var rest = count
            while rest > left {
                rest -= left
                left = 0
                guard read(bytes, table) else { return }
            }
            left -= rest
        }

        /// Reads the next run. The last one's duration holds for all that follows.
        private mutating func read(_ bytes: RawSpan, _ table: Range<Int>) -> Bool {
            guard let count = bytes.number(at: next, byteCount: 4, in: table),
                let duration = bytes.number(at: next + 4, byteCount: 4, in: table)
            else { return false }
            next += 8
            left = count
            self.duration = duration
            return true
        }
    }
}
