/// The fragments of a file: movie fragment boxes with the access units of a track (ISO/IEC 14496-12 §8.8).
struct MovieFragments {
    /// The track's number.
    let track: Int
    /// The duration and size of units that state none.
    private let defaults: (duration: Int, size: Int)

    /// - Parameter movie: the contents of the `moov` box, whose `mvex` box has the defaults.
    init(track: Int, _ bytes: RawSpan, movie: Range<Int>) {
        self.track = track
        var found = (duration: 0, size: 0)
        if let extends = MP4Box.first("mvex", bytes, in: movie) {
            MP4Box.forEach(bytes, in: extends.contents) { box in
                let fields = box.fullContents
                guard box.type == "trex",
                    bytes.number(at: fields.lowerBound, byteCount: 4, in: fields) == track
                else {
                    return true
                }
                found = (
                    bytes.number(at: fields.lowerBound + 8, byteCount: 4, in: fields) ?? 0,
                    bytes.number(at: fields.lowerBound + 12, byteCount: 4, in: fields) ?? 0
                )
                return false
            }
        }
        defaults = found
    }

    /// Passes the units of a `moof` box to a collector.
    func collect(_ bytes: RawSpan, _ fragment: MP4Box, into collector: inout UnitCollector) {
        // Without a base of its own, the first track's data is relative to the box, the others' to the end of the data before.
        var base = fragment.range.lowerBound
        MP4Box.forEach(bytes, in: fragment.contents) { box in
            guard box.type == "traf" else { return true }
            guard let header = TrackHeader(bytes, box.contents) else { return true }
            var position = header.base ?? (header.isRelativeToFragment ? fragment.range.lowerBound : base)
            let start = position
            var isGood = true
            MP4Box.forEach(bytes, in: box.contents) { run in
                guard run.type == "trun" else { return true }
                isGood = collect(bytes, run, header, from: start, &position, &collector)
                return isGood
            }
            base = position
            return isGood
        }
    }

    /// The fields of a `tfhd` box.
    private struct TrackHeader {
        var track = 0
        var base: Int?
        var duration: Int?
        var size: Int?
        var isRelativeToFragment = false

        init?(_ bytes: RawSpan, _ contents: Range<Int>) {
            guard let box = MP4Box.first("tfhd", bytes, in: contents),
                let flags = bytes.number(at: box.start, byteCount: 4, in: box.contents),
                let track = bytes.number(at: box.start + 4, byteCount: 4, in: box.contents)
            else { return nil }
            self.track = track
            isRelativeToFragment = flags & 0x2_0000 != 0
            var position = box.start + 8
            if flags & 1 != 0 {
                base = bytes.number(at: position, byteCount: 8, in: box.contents)
                position += 8
            }
            if flags & 2 != 0 { position += 4 }
            if flags & 8 != 0 {
                duration = bytes.number(at: position, byteCount: 4, in: box.contents)
                position += 4
            }
            if flags & 0x10 != 0 { size = bytes.number(at: position, byteCount: 4, in: box.contents) }
        }
    }

    /// Reads a `trun` box.
    /// - Returns: false if no more units make sense.
    private func collect(
        _ bytes: RawSpan, _ run: MP4Box, _ header: TrackHeader, from start: Int, _ position: inout Int,
        _ collector: inout UnitCollector
    ) -> Bool {
        let box = run.contents
        guard let flags = bytes.number(at: run.start, byteCount: 4, in: box),
            let count = bytes.number(at: run.start + 4, byteCount: 4, in: box)
        else { return true }
        var entry = run.start + 8
        if flags & 1 != 0 {
            guard let distance = bytes.number(at: entry, byteCount: 4, in: box) else { return true }
            position = start &+ Int(Int32(truncatingIfNeeded: distance))
            entry += 4
        }
        if flags & 4 != 0 { entry += 4 }
        for unit in 0..<count {
            var duration = header.duration ?? defaults.duration
            var size = header.size ?? defaults.size
            if flags & 0x100 != 0 {
                guard let own = bytes.number(at: entry, byteCount: 4, in: box) else { return true }
                duration = own
                entry += 4
            }
            if flags & 0x200 != 0 {
                guard let own = bytes.number(at: entry, byteCount: 4, in: box) else { return true }
                size = own
                entry += 4
            }
            entry += (flags & 0x400 != 0 ? 4 : 0) + (flags & 0x800 != 0 ? 4 : 0)
            guard position >= 0, position <= collector.fileSize - size else {
                if header.track == track { collector.missingUnits += count - unit }
                return true
            }
            if header.track == track {
                guard collector.append(position..<position + size, duration: duration) else { return false }
            } else if flags & 0x300 == 0 {
                // Nothing more to read of another track.
                let (rest, isTooLarge) = size.multipliedReportingOverflow(by: count - unit)
                position += isTooLarge ? collector.fileSize : min(collector.fileSize, rest)
                return true
            }
            position += size
        }
        return true
    }
}
