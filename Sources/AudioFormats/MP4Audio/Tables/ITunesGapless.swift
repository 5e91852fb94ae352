/// The encoder's delay as iTunes writes it: the comment `iTunSMPB`. It counts units of the media's time, which for HE-AAC are usually
/// samples of the core: half of those that are heard.
struct ITunesGapless {
    /// Units of the media's time before the music.
    let delay: Int
    /// Units of the media's time of the music.
    let length: Int

    /// Finds the comment in a movie; nil without one, or if it states nothing.
    init?(_ bytes: RawSpan, movie: Range<Int>) {
        let comments = ITunesComments(bytes, movie: movie).entries.filter { $0.name == "iTunSMPB" }
        guard let found = comments.lazy.compactMap({ Self.values($0.text) }).first else { return nil }
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
