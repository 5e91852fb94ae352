/// An ID3v2 lyrics frame: `USLT` (plain text) or `SYLT` (synchronised text), `ULT` and `SLT` in ID3v2.2. The content has the
/// same layout in all versions (ID3v2.4.0 frames, §4.8 and §4.9).
public struct ID3Lyrics: Sendable, Equatable {
    /// A text and its start time.
    public struct Entry: Sendable, Equatable {
        /// A syllable, a word or a line; a leading line break starts a new line.
        public var text: String
        /// Start time in the frame's unit.
        public var time: Int

        /// Memberwise initializer.
        public init(text: String, time: Int) {
            self.text = text
            self.time = time
        }
    }

    /// Unit of times.
    public enum Unit: UInt8, Sendable {
        /// MPEG frames from the start of the file.
        case mpegFrames = 1
        /// Milliseconds.
        case milliseconds = 2
    }

    /// Content of the frame.
    public enum Content: Sendable, Equatable {
        /// `USLT`.
        case text(String)
        /// `SYLT` with lyrics or a transcription.
        case entries([Entry], Unit)
    }

    /// ISO 639-2 language; nil if not specified.
    public var language: String?
    /// Distinguishes several frames of one language; usually empty.
    public var description: String
    /// The lyrics.
    public var content: Content

    /// Memberwise initializer.
    public init(language: String? = nil, description: String = "", content: Content) {
        self.language = language
        self.description = description
        self.content = content
    }

    /// Parses the content of a frame, without its header.
    /// - Parameter isSynchronised: whether the frame is `SYLT` rather than `USLT`.
    ///
    /// Returns nil for invalid content and for synchronised content other than lyrics, such as chords.
    public init?(content bytes: [UInt8], isSynchronised: Bool) {
        var reader = Reader(rest: bytes.prefix(LyricsLimits.sourceBytes))
        guard let encoding = reader.byte(), encoding <= 3, let language = reader.bytes(3) else { return nil }
        reader.encoding = encoding
        self.language = Self.language(language)
        guard isSynchronised else {
            description = LyricsText.trimmed(Substring(reader.string()))
            content = .text(reader.remainingText())
            return
        }
        guard let unit = reader.byte().flatMap({ Unit(rawValue: $0) }), let kind = reader.byte(),
            // Other, lyrics, transcription.
            kind <= 2
        else { return nil }
        description = LyricsText.trimmed(Substring(reader.string()))
        var entries: [Entry] = []
        while entries.count < LyricsLimits.words, !reader.rest.isEmpty {
            let text = reader.string()
            guard let time = reader.bytes(4) else { break }
            entries.append(Entry(text: text, time: time.reduce(0) { $0 << 8 | Int($1) }))
        }
        guard !entries.isEmpty else { return nil }
        content = .entries(entries, unit)
    }

    /// Whether the frame is `SYLT`.
    public var isSynchronised: Bool {
        if case .entries = content { return true }
        return false
    }

    /// Encodes the content of the frame, without header.
    /// - Parameter version: the ID3v2 version. From 4 on text is UTF-8; before that Latin-1 if possible, otherwise UTF-16.
    public func encoded(forVersion version: Int) -> [UInt8] {
        let texts: [String] =
            switch content {
            case .text(let text): [description, text]
            case .entries(let entries, _): [description] + entries.map(\.text)
            }
        let isLatin = texts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value <= 0xFF } }
        let encoding: UInt8 = version >= 4 ? 3 : isLatin ? 0 : 1
        func encoded(_ text: String, ends: Bool) -> [UInt8] {
            switch encoding {
            case 0: return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + (ends ? [0] : [])
            case 1:
                return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
                    + (ends ? [0, 0] : [])
            default: return Array(text.utf8) + (ends ? [0] : [])
            }
        }
        var bytes = [encoding] + Array((language ?? "XXX").utf8)
        switch content {
        case .text(let text): bytes += encoded(description, ends: true) + encoded(text, ends: false)
        case .entries(let entries, let unit):
            bytes += [unit.rawValue, 1] + encoded(description, ends: true)
            for entry in entries {
                let time = UInt32(clamping: entry.time)
                bytes += encoded(entry.text, ends: true)
                bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) }
            }
        }
        return bytes
    }

    /// Returns the three-letter code; nil for codes that mean an unknown language.
    private static func language(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let isWord = text.utf8.count == 3 && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
        return isWord && text != "xxx" && text != "und" ? text : nil
    }

    /// Parses a frame from its start.
    private struct Reader {
        var rest: ArraySlice<UInt8>
        var encoding: UInt8 = 0
        /// UTF-16 without its own byte order mark has the byte order of the previous text.
        var isLittleEndian = false

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// Reads the text up to its terminator, which is consumed.
        mutating func string() -> String {
            let isWide = encoding == 1 || encoding == 2
            var index = rest.startIndex
            while index < rest.endIndex {
                if !isWide, rest[index] == 0 { break }
                if isWide, index + 1 < rest.endIndex, rest[index] == 0, rest[index + 1] == 0 { break }
                index += isWide ? 2 : 1
            }
            let end = min(index, rest.endIndex)
            let text = decoded(rest[rest.startIndex..<end])
            rest = rest[min(end + (isWide ? 2 : 1), rest.endIndex)...]
            return text
        }

        /// Reads the rest, up to a NUL if there is one.
        mutating func remainingText() -> String {
            let text = decoded(rest)
            rest = []
            return String(text.unicodeScalars.prefix { $0.value != 0 })
        }

        private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> String {
            switch encoding {
            case 0: return LyricsText.windows1252(bytes)
            case 1, 2:
                var bytes = bytes
                if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
                    isLittleEndian = bytes.first == 0xFF
                    bytes = bytes.dropFirst(2)
                }
                return LyricsText.utf16(bytes, isLittleEndian: isLittleEndian)
            default:
                let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
                return String(decoding: hasMark ? bytes.dropFirst(3) : bytes, as: UTF8.self)
            }
        }
    }
}
