extension Lyrics {
    /// Creates lyrics from a frame: plain text, which may be LRC, or synchronised text.
    ///
    /// If any text of a `SYLT` starts or ends with a line break, texts are syllables and line breaks separate lines; otherwise
    /// each text is a line.
    /// - Parameter frameSeconds: duration of an MPEG frame; nil if unknown. Returns nil if it is unknown and times are in frames.
    public init?(_ frame: ID3Lyrics, frameSeconds: Double?) {
        switch frame.content {
        case .text(let text): self = Lyrics(lrc: text)
        case .entries(let entries, let unit):
            let unitSeconds: Double
            switch unit {
            case .milliseconds: unitSeconds = 0.001
            case .mpegFrames:
                guard let frameSeconds else { return nil }
                unitSeconds = frameSeconds
            }
            self.init(isSynced: true, lines: Self.lines(entries, unitSeconds))
        }
    }

    private static func lines(_ entries: [ID3Lyrics.Entry], _ unitSeconds: Double) -> [LyricsLine] {
        let isBreak = { (scalar: Unicode.Scalar?) in scalar == "\n" || scalar == "\r" }
        let areSyllables = entries.contains {
            isBreak($0.text.unicodeScalars.first) || isBreak($0.text.unicodeScalars.last)
        }
        // Stable sort, as for LRC; the standard requires chronological order.
        let ordered = entries.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        .map(\.element)
        var lines: [LyricsLine] = []
        var byteCount = 0
        var isNewLine = true
        for entry in ordered {
            byteCount += entry.text.utf8.count
            guard byteCount <= LyricsLimits.expandedBytes else { break }
            let start = min(
                (Double(entry.time) * unitSeconds * 1000).rounded() / 1000, LyricsLimits.latestSeconds)
            let text = areSyllables ? syllable(entry.text) : LyricsText.trimmed(Substring(entry.text))
            isNewLine = isNewLine || !areSyllables || isBreak(entry.text.unicodeScalars.first)
            if isNewLine || lines.isEmpty {
                guard lines.count < LyricsLimits.lines else { break }
                lines.append(LyricsLine(startSeconds: start, text: "", words: areSyllables ? [] : nil))
            }
            if areSyllables {
                if !text.allSatisfy(\.isWhitespace) {
                    lines[lines.count - 1].words?.append(LyricsWord(startSeconds: start, text: text))
                }
            } else {
                lines[lines.count - 1].text = text
            }
            isNewLine = isBreak(entry.text.unicodeScalars.last) && entry.text.unicodeScalars.count > 1
        }
        for index in lines.indices {
            lines[index].joinWords(keepsSingleWord: false)
            if index > 0, lines[index].text.isEmpty, !lines[index - 1].text.isEmpty {
                lines[index - 1].endSeconds = lines[index].startSeconds
            }
        }
        return lines
    }

    private static func syllable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { scalar in
                    scalar == "\t" ? " " : LyricsText.isControl(scalar) ? nil : scalar
                }))
    }

    /// Returns the lyrics as a frame: `SYLT` in milliseconds if they have times, otherwise `USLT`. The offset is applied to the
    /// times.
    /// - Parameter asText: whether to write `USLT` in any case, with times as LRC. Returns nil if that is not possible.
    public func frame(language: String?, description: String = "", asText: Bool) -> ID3Lyrics? {
        if asText || !isSynced {
            let text = isSynced || !metadata.isEmpty ? LRCWriter.text(of: self) : plainText
            return text.map { ID3Lyrics(language: language, description: description, content: .text($0)) }
        }
        let hasWords = lines.contains { $0.words?.isEmpty == false }
        var entries: [ID3Lyrics.Entry] = []
        func add(_ text: String, _ seconds: Double?) {
            entries.append(
                ID3Lyrics.Entry(text: text, time: max(0, LRCWriter.milliseconds(seconds ?? 0))))
        }
        for (index, line) in lines.enumerated() {
            let lead = hasWords && index > 0 ? "\n" : ""
            if let words = line.words, !words.isEmpty {
                for (number, word) in words.enumerated() {
                    add((number == 0 ? lead : "") + word.text, word.startSeconds)
                }
            } else {
                add(lead + line.text.split(separator: "\n").joined(separator: " "), line.startSeconds)
            }
            let next = index + 1 < lines.count ? lines[index + 1].startSeconds : nil
            if let end = line.endSeconds ?? line.words?.last?.endSeconds, end != next {
                add(hasWords ? "\n" : "", end)
            }
        }
        return ID3Lyrics(
            language: language, description: description, content: .entries(entries, .milliseconds))
    }
}
