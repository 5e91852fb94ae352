/// The encoder's delay as iTunes writes it: the comment `iTunSMPB`.
struct ITunesGapless {
    /// Samples before the music.
    let delay: Int
    /// Samples of the music.
    let length: Int

    /// Finds the comment in a movie; nil without one, or if it states nothing.
    init?(_ bytes: RawSpan, movie: Range<Int>) {
        guard let meta = MP4Box.first(["udta", "meta"], bytes, in: movie) else { return nil }
        // QuickTime's box has no version.
        let isBare = bytes.code(at: meta.start + 4, in: meta.contents) == "hdlr"
        guard let list = MP4Box.first("ilst", bytes, in: isBare ? meta.contents : meta.fullContents) else {
            return nil
        }
        var found: (delay: Int, length: Int)?
        MP4Box.forEach(bytes, in: list.contents) { box in
            guard box.type == "----", let name = MP4Box.first("name", bytes, in: box.contents),
                bytes.array(name.fullContents.prefix(16)).elementsEqual("iTunSMPB".utf8),
                let data = MP4Box.first("data", bytes, in: box.contents)
            else { return true }
            // Type and locale come first.
            let text = min(data.start + 8, data.range.upperBound)..<data.range.upperBound
            found = Self.values(String(decoding: bytes.array(text.prefix(256)), as: UTF8.self))
            return found == nil
        }
        guard let found else { return nil }
        delay = found.delay
        length = found.length
    }

    /// Reads the second and the fourth hexadecimal number: delay and length.
    private static func values(_ text: String) -> (delay: Int, length: Int)? {
        let fields = text.split(separator: " ").map { Int($0, radix: 16) }
        guard fields.count >= 4, let delay = fields[1], let length = fields[3], (0..<1 << 24).contains(delay),
            (1..<1 << 48).contains(length)
        else { return nil }
        return (delay, length)
    }
}
