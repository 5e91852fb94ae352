/// Writes lyrics as LRC.
public enum LRCWriter {
    /// Returns the lyrics as LRC, or as plain text if they have no times; nil if they would not survive a round trip: a text
    /// that looks like a timestamp, or times out of order.
    ///
    /// Times have hundredths, or milliseconds if needed.
    public static func text(of lyrics: Lyrics) -> String? {
        let offset = milliseconds(lyrics.offsetSeconds)
        var rows = lyrics.metadata.sorted { $0.key < $1.key }.map { "[\($0.key):\($0.value)]" }
        if offset != 0 { rows.append(offsetRow(offset)) }
        for (index, line) in lyrics.lines.enumerated() {
            guard let start = line.startSeconds else {
                rows.append(line.text)
                continue
            }
            rows.append("[\(stamp(start, offset))]" + text(of: line, offset))
            let next = index + 1 < lyrics.lines.count ? lyrics.lines[index + 1].startSeconds : nil
            // A timestamp without text marks the end of a line without words.
            if line.words == nil, let end = line.endSeconds, end != next {
                rows.append("[\(stamp(end, offset))]")
            }
        }
        let text = rows.map { $0 + "\n" }.joined()
        return isSame(Lyrics(lrc: text), lyrics) ? text : nil
    }

    /// Returns an LRC text with another offset and no other change; nil if it has no times.
    public static func text(_ text: String, withOffsetSeconds seconds: Double) -> String? {
        guard Lyrics(lrc: text).isSynced else { return nil }
        let offset = milliseconds(seconds)
        var rows = LyricsText.lines(of: text).map(String.init)
        let ending = text.unicodeScalars.contains("\r") && text.utf8.contains(0x0A) ? "\r\n" : "\n"
        let isOffset = { (row: String) in
            LyricsText.trimmed(Substring(row)).lowercased().hasPrefix("[offset:")
        }
        if let place = rows.firstIndex(where: isOffset) {
            rows[place] = offsetRow(offset)
            // Readers use the last offset, so remove the others.
            let later = rows.indices.filter { $0 > place && isOffset(rows[$0]) }
            for index in later.reversed() { rows.remove(at: index) }
        } else if offset != 0 {
            let firstTime = rows.firstIndex { Lyrics(lrc: $0).isSynced } ?? 0
            rows.insert(offsetRow(offset), at: firstTime)
        }
        return rows.joined(separator: ending)
    }

    private static func offsetRow(_ milliseconds: Int) -> String {
        "[offset:\(milliseconds > 0 ? "+" : "")\(milliseconds)]"
    }

    private static func text(of line: LyricsLine, _ offset: Int) -> String {
        guard let words = line.words, !words.isEmpty else { return line.text }
        var text = ""
        for (index, word) in words.enumerated() {
            text += "<\(stamp(word.startSeconds, offset))>\(word.text)"
            let next = index + 1 < words.count ? words[index + 1].startSeconds : nil
            let end = word.endSeconds ?? (next == nil ? line.endSeconds : nil)
            if let end, end != next { text += "<\(stamp(end, offset))>" }
        }
        return text
    }

    static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

    private static func stamp(_ seconds: Double, _ offset: Int) -> String {
        let time = max(0, milliseconds(seconds) + offset)
        func padded(_ value: Int, _ count: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let fraction = time % 1000
        return padded(time / 60_000, 2) + ":" + padded(time / 1000 % 60, 2) + "."
            + (fraction % 10 == 0 ? padded(fraction / 10, 2) : padded(fraction, 3))
    }

    /// Returns whether two lyrics show the same text at the same times. The parsed lyrics may have additional end times, and
    /// lines without text that mark them.
    private static func isSame(_ read: Lyrics, _ asked: Lyrics) -> Bool {
        guard read.isSynced == asked.isSynced, read.offsetSeconds == asked.offsetSeconds || !asked.isSynced
        else {
            return false
        }
        let readLines = read.isSynced ? read.lines.filter { !$0.text.isEmpty } : read.lines
        let askedLines = asked.isSynced ? asked.lines.filter { !$0.text.isEmpty } : asked.lines
        return readLines.count == askedLines.count
            && zip(readLines, askedLines).allSatisfy { read, asked in
                read.text == asked.text && read.startSeconds == asked.startSeconds
                    && (read.words?.map(\.startSeconds) ?? []) == (asked.words?.map(\.startSeconds) ?? [])
                    && (read.words?.map(\.text) ?? []) == (asked.words?.map(\.text) ?? [])
            }
    }
}
