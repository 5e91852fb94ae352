/// A file type other than MP3, recognised by its first bytes, so that an error can name it.
struct FileSignature: Sendable, Hashable {
    /// Name with article: "a JPEG image".
    let name: String
    /// Whether this type rules out an MP3 stream after junk. False for text, zeros and a WAV file that wraps MP3 frames.
    let isDefinitive: Bool

    /// Detects the type of the bytes from `start` to `end`; nil if unknown.
    static func detect(_ bytes: RawSpan, from start: Int, to end: Int) -> FileSignature? {
        guard start < end else { return nil }
        for (magic, offset, name) in magics where bytes.holds(magic, at: start + offset) {
            return FileSignature(name: name, isDefinitive: true)
        }
        if end - start >= 3, bytes.byte(at: start) == 0xFF {
            let second = bytes.byte(at: start + 1)
            if second == 0xD8, bytes.byte(at: start + 2) == 0xFF {
                return FileSignature(name: "a JPEG image", isDefinitive: true)
            }
            if second == 0xF1 || second == 0xF9 {
                return FileSignature(name: "an AAC stream (ADTS)", isDefinitive: false)
            }
        }
        if bytes.holds("RIFF", at: start) { return riff(bytes, at: start) }
        if end - start >= 4 {
            switch bytes.bigEndian32(at: start) {
            case 0x1A45_DFA3: return FileSignature(name: "a Matroska or WebM file", isDefinitive: true)
            case 0x3026_B275: return FileSignature(name: "a Windows Media file", isDefinitive: true)
            case 0x8950_4E47: return FileSignature(name: "a PNG image", isDefinitive: true)
            case 0x7F45_4C46: return FileSignature(name: "an ELF executable", isDefinitive: true)
            case let word where word >> 16 == 0x1F8B:
                return FileSignature(name: "a gzip archive", isDefinitive: true)
            default: break
            }
        }
        if bytes.firstNonZero(in: start..<end) == end {
            return FileSignature(name: "nothing but zeros", isDefinitive: false)
        }
        return text(bytes, from: start, to: min(end, start + 4096))
    }

    private static let magics: [(StaticString, Int, String)] = [
        ("GIF8", 0, "a GIF image"),
        ("OggS", 0, "an Ogg file"),
        ("fLaC", 0, "a FLAC file"),
        ("ftyp", 4, "an MP4 file"),
        ("FORM", 0, "an AIFF file"),
        ("MThd", 0, "a MIDI file"),
        ("%PDF", 0, "a PDF document"),
        ("PK\u{3}\u{4}", 0, "a zip archive"),
        ("MAC ", 0, "a Monkey's Audio file"),
        ("wvpk", 0, "a WavPack file"),
        ("SQLite format 3", 0, "an SQLite database"),
    ]

    private static func riff(_ bytes: RawSpan, at start: Int) -> FileSignature {
        if bytes.holds("WAVE", at: start + 8) {
            // WAVE_FORMAT_MPEGLAYER3 is 0x55: MP3 frames in a "data" chunk.
            let wrapsMP3 =
                bytes.holds("fmt ", at: start + 12) && start + 22 <= bytes.byteCount
                && bytes.byte(at: start + 20) == 0x55
            return FileSignature(name: "a WAV file", isDefinitive: !wrapsMP3)
        }
        if bytes.holds("WEBP", at: start + 8) {
            return FileSignature(name: "a WebP image", isDefinitive: true)
        }
        if bytes.holds("AVI ", at: start + 8) {
            return FileSignature(name: "an AVI video", isDefinitive: true)
        }
        return FileSignature(name: "a RIFF file", isDefinitive: false)
    }

    private static func text(_ bytes: RawSpan, from start: Int, to end: Int) -> FileSignature? {
        var first: UInt8?
        for i in start..<end {
            let byte = bytes.byte(at: i)
            guard byte >= 0x20 && byte != 0x7F || (0x09...0x0D).contains(byte) || byte == 0x1B else {
                return nil
            }
            // Bytes that never occur in UTF-8; MP3 frames are full of 0xFF.
            guard byte < 0xF8 else { return nil }
            if first == nil, byte > 0x20, byte != 0xEF, byte != 0xBB, byte != 0xBF { first = byte }
        }
        let isMarkup = first == UInt8(ascii: "<")
        return FileSignature(name: isMarkup ? "an HTML or XML page" : "a text file", isDefinitive: false)
    }
}
