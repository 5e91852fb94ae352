/// The tags at the end of a file, in any order and number.
package enum TrailingTags {
    /// Returns the end of the bytes before the tags, and the tags in file order, none before `floor`.
    package static func find(_ bytes: RawSpan, floor: Int) -> (end: Int, tags: [TagExtent]) {
        var end = bytes.byteCount
        var tags: [TagExtent] = []
        while let tag = last(bytes, end: end, floor: floor), !tag.range.isEmpty {
            tags.append(tag)
            end = tag.range.lowerBound
            // A lone APE footer: its tag is damaged, and its extent must not be guessed, especially not repeatedly in a file
            // full of footers.
            if tag.kind == .ape, tag.range.count == 32 { break }
        }
        return (end, tags.reversed())
    }

    private static func last(_ bytes: RawSpan, end: Int, floor: Int) -> TagExtent? {
        func tag(_ kind: TagExtent.Kind, _ range: Range<Int>) -> TagExtent {
            TagExtent(kind: kind, range: range, placement: .trailing)
        }
        if end - 128 >= floor, bytes.holds("TAG", at: end - 128), !bytes.holds("TAG+", at: end - 128) {
            return tag(.id3v1, end - 128..<end)
        }
        if end - 227 >= floor, bytes.holds("TAG+", at: end - 227) {
            return tag(.id3v1Extended, end - 227..<end)
        }
        if let range = APEExtent.trailing(bytes, endingAt: end, floor: floor) { return tag(.ape, range) }
        if let range = lyrics3v2(bytes, end: end, floor: floor) { return tag(.lyrics3v2, range) }
        if let range = lyrics3v1(bytes, end: end, floor: floor) { return tag(.lyrics3v1, range) }
        if let range = id3v2(bytes, end: end, floor: floor) { return tag(.id3v2, range) }
        return nil
    }

    /// Lyrics3 v2.00: six digits before "LYRICS200" state the number of bytes from "LYRICSBEGIN" up to the digits.
    private static func lyrics3v2(_ bytes: RawSpan, end: Int, floor: Int) -> Range<Int>? {
        guard end - 15 >= floor, bytes.holds("LYRICS200", at: end - 9) else { return nil }
        var size = 0
        for i in end - 15..<end - 9 {
            let digit = bytes.byte(at: i)
            guard (0x30...0x39).contains(digit) else { return nil }
            size = size * 10 + Int(digit - 0x30)
        }
        let start = end - 15 - size
        guard start >= floor, bytes.holds("LYRICSBEGIN", at: start) else { return nil }
        return start..<end
    }

    /// Lyrics3 v1: at most 5,100 bytes of text between "LYRICSBEGIN" and "LYRICSEND".
    private static func lyrics3v1(_ bytes: RawSpan, end: Int, floor: Int) -> Range<Int>? {
        guard end - 20 >= floor, bytes.holds("LYRICSEND", at: end - 9) else { return nil }
        var start = end - 20
        let lowest = max(floor, end - 20 - 5100)
        while start >= lowest {
            if bytes.holds("LYRICSBEGIN", at: start) { return start..<end }
            start -= 1
        }
        return nil
    }

    /// An appended ID3v2.4 tag, found by its footer "3DI".
    private static func id3v2(_ bytes: RawSpan, end: Int, floor: Int) -> Range<Int>? {
        guard end - 20 >= floor, bytes.holds("3DI", at: end - 10),
            let size = bytes.synchsafe32(at: end - 4)
        else { return nil }
        let start = end - 20 - size
        guard start >= floor, bytes.holds("ID3", at: start) else { return nil }
        return start..<end
    }
}
