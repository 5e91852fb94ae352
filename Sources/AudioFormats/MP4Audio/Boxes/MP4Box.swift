/// A box of an MP4 file: its type and position (ISO/IEC 14496-12 §4.2).
struct MP4Box: Sendable, Hashable {
    /// The type.
    let type: BoxType
    /// The header and the contents, as far as they exist.
    let range: Range<Int>
    /// Where the contents start.
    let start: Int
    /// Whether the box claims to be longer than what contains it.
    let isCut: Bool

    /// The contents, as far as they exist.
    var contents: Range<Int> { start..<range.upperBound }
    /// The contents of a box with a version and flags, which come first.
    var fullContents: Range<Int> { min(start + 4, range.upperBound)..<range.upperBound }

    /// Reads the header at an offset; nil if there is no valid one within the range.
    init?(_ bytes: RawSpan, at offset: Int, in range: Range<Int>) {
        guard let claimed = bytes.number(at: offset, byteCount: 4, in: range),
            let type = bytes.code(at: offset + 4, in: range)
        else { return nil }
        var start = offset + 8
        let size: Int
        switch claimed {
        // The box extends to the end of the file.
        case 0: size = range.upperBound - offset
        case 1:
            guard let large = bytes.number(at: start, byteCount: 8, in: range), large >= 16 else {
                return nil
            }
            start += 8
            size = large
        case 2..<8: return nil
        default: size = claimed
        }
        self.type = type
        self.start = start
        isCut = size > range.upperBound - offset
        self.range = offset..<(isCut ? range.upperBound : offset + size)
    }

    /// Calls a closure with each box in a range, until it returns false or no valid header follows.
    static func forEach<Failure: Error>(
        _ bytes: RawSpan, in range: Range<Int>, _ body: (MP4Box) throws(Failure) -> Bool
    ) throws(Failure) {
        var position = range.lowerBound
        while let box = MP4Box(bytes, at: position, in: range) {
            guard try body(box) else { return }
            position = box.range.upperBound
        }
    }

    /// Returns the first box of a type in a range.
    static func first(_ type: BoxType, _ bytes: RawSpan, in range: Range<Int>) -> MP4Box? {
        var found: MP4Box?
        forEach(bytes, in: range) { box in
            if box.type == type { found = box }
            return found == nil
        }
        return found
    }

    /// Returns the box at a path of types, the first of each type.
    static func first(_ path: [BoxType], _ bytes: RawSpan, in range: Range<Int>) -> MP4Box? {
        var place = range
        var found: MP4Box?
        for type in path {
            found = first(type, bytes, in: place)
            guard let box = found else { return nil }
            place = box.contents
        }
        return found
    }
}
