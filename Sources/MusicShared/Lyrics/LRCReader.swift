/// Parses LRC lyrics: lines with timestamps in brackets, several timestamps per line, word timestamps (enhanced LRC), tags.
///
/// Any other text is read as plain lyrics. All input is accepted; output is limited by ``LyricsLimits``.
struct LRCReader {
    /// Metadata tags. Others, such as `[Chorus: all]`, are part of the lyrics.
    static let tags: Set<String> = [
        "al", "album", "ar", "artist", "au", "author", "by", "editor", "id", "la", "lang", "language",
        "length",
        "lr", "lyricist", "offset", "re", "ti", "title", "tool", "ve", "version", "#",
    ]

    /// A parsed row of the text.
    private enum Row {
        case timed(stamps: [LRCStamp], rest: [UInt8])
        case tag(String, String)
        case text(String)
    }

    /// A line under construction.
    private struct Line {
        var start: Int
        var end: Int?
        var text: String
        var words: [(start: Int, end: Int?, text: String)]
    }

    private var metadata: [String: String] = [:]
    private var offset = 0
    private var lines: [Line] = []
    private var wordCount = 0
    private var byteCount = 0
    private var threeParts = LRCStamp.ThreeParts.hundredths

    /// Parses a text.
    static func lyrics(in text: String) -> Lyrics {
        let bounded = text.utf8.count <= LyricsLimits.sourceBytes ? text : Self.head(of: text)
        let rows = LyricsText.lines(of: bounded).map(Self.row)
        let stamps = rows.flatMap { row -> [LRCStamp] in
            if case .timed(let stamps, let rest) = row { return stamps + Self.inlineStamps(rest) }
            return []
        }
        guard !stamps.isEmpty else { return plain(rows, bounded) }
        var reader = LRCReader()
        reader.threeParts = LRCStamp.meaning(of: stamps)
        for row in rows { reader.take(row) }
        return reader.lyrics
    }

    private static func head(of text: String) -> String {
        String(decoding: Array(text.utf8.prefix(LyricsLimits.sourceBytes)), as: UTF8.self)
    }

    /// Parses text without timestamps; tags are recognised only at its head.
    private static func plain(_ rows: [Row], _ text: String) -> Lyrics {
        var metadata: [String: String] = [:]
        var count = 0
        for row in rows {
            if case .tag(let name, let value) = row {
                metadata[name] = value
            } else if case .text(let text) = row, text.isEmpty {
            } else {
                break
            }
            count += 1
        }
        guard !metadata.isEmpty else { return Lyrics(plainText: text) }
        var lyrics = Lyrics(
            plainText: LyricsText.lines(of: text).dropFirst(count).joined(separator: "\n"))
        metadata["offset"] = nil
        lyrics.metadata = metadata
        return lyrics
    }

    private static func row(_ text: Substring) -> Row {
        let bytes = Array(text.utf8)
        var rest = bytes[...].drop { $0 == 0x20 || $0 == 0x09 }
        var stamps: [LRCStamp] = []
        while let stamp = LRCStamp(rest) {
            stamps.append(stamp)
            rest = rest.dropFirst(stamp.byteCount)
            // Spaces may separate timestamps; a space before the text belongs to the text.
            let next = rest.drop { $0 == 0x20 || $0 == 0x09 }
            if LRCStamp(next) != nil { rest = next }
        }
        if !stamps.isEmpty { return .timed(stamps: stamps, rest: Array(rest)) }
        if let (name, value) = tag(rest) { return .tag(name, value) }
        return .text(LyricsText.trimmed(text))
    }

    /// Parses a row that consists of one tag: `[name:value]`.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> (String, String)? {
        guard bytes.first == UInt8(ascii: "["), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let end = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 }), end > colon,
            bytes[end] == UInt8(ascii: "]")
        else { return nil }
        let name = String(decoding: bytes[(bytes.startIndex + 1)..<colon], as: UTF8.self).lowercased()
        guard tags.contains(name) else { return nil }
        let value = LyricsText.trimmed(Substring(decoding: bytes[(colon + 1)..<end], as: UTF8.self))
        return (name, value)
    }

    private static func inlineStamps(_ bytes: [UInt8]) -> [LRCStamp] {
        parts(of: bytes).compactMap(\.stamp)
    }

    /// Splits a row's text at the timestamps in it.
    private static func parts(of bytes: [UInt8]) -> [(stamp: LRCStamp?, text: ArraySlice<UInt8>)] {
        var parts: [(stamp: LRCStamp?, text: ArraySlice<UInt8>)] = []
        var stamp: LRCStamp?
        var start = 0
        var index = 0
        while index < bytes.count {
            let found: LRCStamp? =
                switch bytes[index] {
                case UInt8(ascii: "<"):
                    LRCStamp(bytes[index...], open: UInt8(ascii: "<"), close: UInt8(ascii: ">"))
                case UInt8(ascii: "["): LRCStamp(bytes[index...])
                default: nil
                }
            guard let found else {
                index += 1
                continue
            }
            parts.append((stamp, bytes[start..<index]))
            stamp = found
            index += found.byteCount
            start = index
        }
        parts.append((stamp, bytes[start...]))
        return parts
    }

    private mutating func take(_ row: Row) {
        switch row {
        case .tag("offset", let value): offset = Self.offset(value) ?? offset
        case .tag(let name, let value): metadata[name] = value
        case .text(let text):
            guard !text.isEmpty, !lines.isEmpty, lines[lines.count - 1].words.isEmpty,
                byteCount + text.utf8.count < LyricsLimits.expandedBytes
            else { return }
            byteCount += text.utf8.count
            // In place: a text may have a hundred thousand such rows.
            if !lines[lines.count - 1].text.isEmpty { lines[lines.count - 1].text += "\n" }
            lines[lines.count - 1].text += text
        case .timed(let stamps, let rest): take(stamps.compactMap { $0.milliseconds(threeParts) }, rest)
        }
    }

    private mutating func take(_ starts: [Int], _ rest: [UInt8]) {
        guard let first = starts.first else { return }
        let line = line(at: first, rest)
        for start in starts {
            byteCount += line.text.utf8.count
            wordCount += line.words.count
            guard lines.count < LyricsLimits.lines, byteCount <= LyricsLimits.expandedBytes,
                wordCount <= LyricsLimits.words
            else { return }
            // The words of a repeated line keep their offsets from its start.
            let shift = start - first
            lines.append(
                Line(
                    start: start, end: line.end.map { $0 + shift }, text: line.text,
                    words: line.words.map { ($0.start + shift, $0.end.map { $0 + shift }, $0.text) }))
        }
    }

    private func line(at start: Int, _ rest: [UInt8]) -> Line {
        let parts = Self.parts(of: rest)
        guard parts.count > 1 else {
            return Line(
                start: start, text: LyricsText.trimmed(Substring(decoding: rest, as: UTF8.self)), words: [])
        }
        var words: [(start: Int, end: Int?, text: String)] = []
        var end: Int?
        var mayBeginWithSpace = false
        for part in parts {
            let time = part.stamp?.milliseconds(threeParts) ?? start
            let text = Self.word(part.text, mayBeginWithSpace: mayBeginWithSpace)
            if text.allSatisfy(\.isWhitespace) {
                guard part.stamp != nil, let last = words.indices.last else { continue }
                words[last].end = max(time, words[last].start)
                if !text.isEmpty, mayBeginWithSpace { words[last].text += " " }
                mayBeginWithSpace = mayBeginWithSpace && text.isEmpty
                end = words[last].end
            } else {
                words.append((max(0, time), nil, text))
                mayBeginWithSpace = text.last?.isWhitespace == false
                end = nil
            }
        }
        if let last = words.indices.last {
            while words[last].text.last?.isWhitespace == true { words[last].text.removeLast() }
        }
        return Line(start: start, end: end, text: words.map(\.text).joined(), words: words)
    }

    /// Returns the text of a word with runs of white space collapsed to one space.
    private static func word(_ bytes: ArraySlice<UInt8>, mayBeginWithSpace: Bool) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterSpace = !mayBeginWithSpace
        for scalar in Substring(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.properties.isWhitespace {
                if !isAfterSpace { scalars.append(" ") }
                isAfterSpace = true
            } else if !LyricsText.isControl(scalar) {
                scalars.append(scalar)
                isAfterSpace = false
            }
        }
        return String(scalars)
    }

    /// Parses the value of `[offset:]` in milliseconds.
    static func offset(_ text: String) -> Int? {
        let digits = text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard let value = Double(digits.filter { $0 != " " }),
            value.magnitude <= LyricsLimits.offsetSeconds * 1000
        else { return nil }
        return Int(value.rounded())
    }

    private var lyrics: Lyrics {
        // Stable sort: lines with the same time keep their order, so a translation stays below its line.
        var ordered = lines.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }
        .map(\.element)
        for index in ordered.indices.dropFirst() where ordered[index].text.isEmpty {
            // A timestamp without text ends the previous line.
            let before = ordered[index - 1]
            if before.end == nil, !before.text.isEmpty { ordered[index - 1].end = ordered[index].start }
        }
        func seconds(_ milliseconds: Int) -> Double { Double(max(0, milliseconds - offset)) / 1000 }
        return Lyrics(
            isSynced: true, offsetSeconds: Double(offset) / 1000,
            lines: ordered.map { line in
                LyricsLine(
                    startSeconds: seconds(line.start), endSeconds: line.end.map(seconds), text: line.text,
                    words: line.words.isEmpty
                        ? nil
                        : line.words.map {
                            LyricsWord(
                                startSeconds: seconds($0.start), endSeconds: $0.end.map(seconds),
                                text: $0.text)
                        })
            }, metadata: metadata)
    }
}

extension Lyrics {
    /// Parses LRC, enhanced LRC or plain text.
    public init(lrc text: String) { self = LRCReader.lyrics(in: text) }

    /// Parses the bytes of an `.lrc` file in any encoding: see ``LyricsText/decoded(_:)``.
    public init(lrcFile bytes: [UInt8]) {
        self.init(lrc: LyricsText.decoded(Array(bytes.prefix(LyricsLimits.sourceBytes))))
    }
}

extension Substring {
    fileprivate init(decoding bytes: some Collection<UInt8>, as encoding: UTF8.Type) {
        self = Substring(String(decoding: bytes, as: encoding))
    }
}
