/// The comments of a movie with a name of their own (`----` boxes in `moov/udta/meta/ilst`), as iTunes and taggers write them.
public struct ITunesComments: Sendable {
    /// A name, such as `iTunSMPB` or `replaygain_track_gain`, and its text, in the order of the file.
    public let entries: [(name: String, text: String)]

    /// Longest name and longest text that are read, in bytes; the rest of a text is left out.
    private static let nameLimit = 64
    private static let textLimit = 256

    /// Reads the comments of a file, of which only the index (`moov`) needs to be present.
    public init(_ bytes: RawSpan) {
        self.init(bytes, movie: MP4Box.first("moov", bytes, in: 0..<bytes.byteCount)?.contents ?? 0..<0)
    }

    init(_ bytes: RawSpan, movie: Range<Int>) {
        entries = Self.list(bytes, movie: movie).map { Self.entries(bytes, in: $0) } ?? []
    }

    private static func list(_ bytes: RawSpan, movie: Range<Int>) -> Range<Int>? {
        guard let meta = MP4Box.first(["udta", "meta"], bytes, in: movie) else { return nil }
        // QuickTime's box has no version.
        let isBare = bytes.code(at: meta.start + 4, in: meta.contents) == "hdlr"
        return MP4Box.first("ilst", bytes, in: isBare ? meta.contents : meta.fullContents)?.contents
    }

    private static func entries(_ bytes: RawSpan, in list: Range<Int>) -> [(name: String, text: String)] {
        var entries: [(name: String, text: String)] = []
        MP4Box.forEach(bytes, in: list) { box in
            guard box.type == "----", let name = MP4Box.first("name", bytes, in: box.contents),
                name.fullContents.count <= nameLimit,
                let data = MP4Box.first("data", bytes, in: box.contents)
            else { return true }
            // Type and locale come first.
            let text = min(data.start + 8, data.range.upperBound)..<data.range.upperBound
            entries.append(
                (
                    String(decoding: bytes.array(name.fullContents), as: UTF8.self),
                    String(decoding: bytes.array(text.prefix(textLimit)), as: UTF8.self)
                ))
            return true
        }
        return entries
    }
}
