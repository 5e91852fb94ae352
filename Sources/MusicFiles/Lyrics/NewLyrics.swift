internal import MusicShared

/// Checked lyrics, ready to be written.
enum NewLyrics {
    /// The target of an update.
    struct Place {
        let source: LyricsSource
        let language: String?
        /// The lyrics that are replaced, if any.
        let old: LyricsFinding.Candidate?
        let frameSeconds: Double?
    }

    /// To an `.lrc` file, or to a Vorbis comment.
    case text(String)
    /// To a frame of an ID3v2 tag.
    case frame(ID3Lyrics)

    /// Computes the result of an update.
    /// - Parameter hasCondition: whether the update is conditional on a state (If-Match).
    /// - Throws: `invalidLyrics`, `noLyrics`, `notSynced`, `conditionNeeded`.
    init(_ update: LyricsUpdate, at place: Place, hasCondition: Bool) throws(LyricsError) {
        if let offset = update.offsetSeconds {
            guard offset.magnitude <= LyricsLimits.offsetSeconds else {
                throw LyricsError(
                    .invalidLyrics, "The offset is more than \(Int(LyricsLimits.offsetSeconds)) seconds.",
                    field: "offset_seconds")
            }
        }
        switch (update.lines, update.lrc) {
        case (_?, _?):
            throw LyricsError(.invalidLyrics, "Send lines or lrc, not both.", field: "lrc")
        case (let lines?, nil):
            var lyrics = try Self.lyrics(of: lines)
            lyrics.offsetSeconds = lyrics.isSynced ? Self.rounded(update.offsetSeconds ?? 0) : 0
            if place.source != .sylt { lyrics.metadata = place.old?.lyrics.metadata ?? [:] }
            self = try Self.written(lyrics, text: nil, at: place)
        case (nil, let text?):
            try Self.check(text)
            var text = text
            if let offset = update.offsetSeconds {
                guard let moved = LRCWriter.text(text, withOffsetSeconds: offset) else {
                    throw Self.notSynced
                }
                text = moved
            }
            let lyrics = Lyrics(lrc: text)
            guard !lyrics.isEmpty else {
                throw LyricsError(
                    .invalidLyrics, "The text contains no lyrics; use DELETE to remove lyrics.", field: "lrc")
            }
            self = try Self.written(lyrics, text: text, at: place)
        case (nil, nil):
            guard let offset = update.offsetSeconds else {
                throw LyricsError(
                    .invalidLyrics, "Send lines, lrc or offset_seconds.", field: "offset_seconds")
            }
            self = try Self.moved(by: offset, at: place, hasCondition: hasCondition)
        }
    }

    private static let notSynced = LyricsError(
        .notSynced, "The lyrics have no times to apply an offset to.", field: "offset_seconds")

    private static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    private static func written(
        _ lyrics: Lyrics, text: String?, at place: Place
    ) throws(LyricsError) -> NewLyrics {
        let cannotBeWritten = LyricsError(
            .invalidLyrics, "The lines cannot be written as LRC: one contains text that reads as a time.",
            field: "lines")
        switch place.source {
        case .sidecar, .comment:
            guard let text = text ?? LRCWriter.text(of: lyrics) else { throw cannotBeWritten }
            return .text(text)
        case .uslt:
            guard let text = text ?? LRCWriter.text(of: lyrics) else { throw cannotBeWritten }
            return .frame(
                ID3Lyrics(
                    language: place.language, description: place.old?.frame?.description ?? "",
                    content: .text(text)))
        case .sylt:
            guard lyrics.isSynced else {
                throw LyricsError(.notSynced, "SYLT can only store lines with times; choose another target.")
            }
            let frame = lyrics.frame(
                language: place.language, description: place.old?.frame?.description ?? "", asText: false)
            guard let frame else { throw cannotBeWritten }
            return .frame(frame)
        }
    }

    private static func moved(
        by offset: Double, at place: Place, hasCondition: Bool
    ) throws(LyricsError) -> NewLyrics {
        guard let old = place.old else { throw LyricsLibrary.noLyrics }
        if case .entries(let entries, let unit)? = old.frame?.content, let frame = old.frame {
            // The times themselves are changed, since SYLT has no offset: applying it twice moves them twice.
            guard hasCondition else {
                throw LyricsError(
                    .conditionNeeded,
                    "SYLT has no offset, so its times are changed; send If-Match with the ETag.",
                    field: "If-Match")
            }
            let seconds = unit == .milliseconds ? 0.001 : place.frameSeconds ?? 0.001
            let moved = entries.map { entry in
                ID3Lyrics.Entry(
                    text: entry.text, time: max(0, entry.time - Int((offset / seconds).rounded())))
            }
            var new = frame
            new.language = place.language
            new.content = .entries(moved, unit)
            return .frame(new)
        }
        guard let text = old.text, let moved = LRCWriter.text(text, withOffsetSeconds: offset) else {
            throw notSynced
        }
        return try written(Lyrics(lrc: moved), text: moved, at: place)
    }

    private static func check(_ text: String) throws(LyricsError) {
        guard text.utf8.count <= LyricsLimits.sourceBytes else {
            throw LyricsError(
                .invalidLyrics, "The text is larger than \(LyricsLimits.sourceBytes) bytes.", field: "lrc")
        }
        let isFine = text.unicodeScalars.allSatisfy { scalar in
            isBreak(scalar) || scalar == "\t" || !isControl(scalar)
        }
        guard isFine else {
            throw LyricsError(.invalidLyrics, "The text contains control characters.", field: "lrc")
        }
    }

    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Normalises lines: sorted by time, times rounded to milliseconds, white space around texts trimmed.
    private static func lyrics(of lines: [LyricsLine]) throws(LyricsError) -> Lyrics {
        func invalid(_ reason: String) -> LyricsError { LyricsError(.invalidLyrics, reason, field: "lines") }
        guard lines.count <= LyricsLimits.lines else {
            throw invalid("There are more than \(LyricsLimits.lines) lines.")
        }
        let isSynced = lines.contains { $0.startSeconds != nil }
        var tidied: [LyricsLine] = []
        var byteCount = 0
        for line in lines {
            guard (line.startSeconds != nil) == isSynced else {
                throw invalid("Either all lines or none must have a time.")
            }
            byteCount += line.text.utf8.count + (line.words ?? []).reduce(0) { $0 + $1.text.utf8.count }
            let times =
                [line.startSeconds, line.endSeconds]
                + (line.words ?? []).flatMap { [$0.startSeconds, $0.endSeconds] }
            guard times.allSatisfy({ $0.map { (0...LyricsLimits.latestSeconds / 2).contains($0) } ?? true })
            else {
                throw invalid("A time is negative or too late.")
            }
            guard isSynced || (line.endSeconds == nil && line.words?.isEmpty ?? true) else {
                throw invalid("A line without a time has an end or words.")
            }
            let text = line.text + (line.words ?? []).map(\.text).joined()
            guard text.unicodeScalars.allSatisfy({ isBreak($0) || $0 == "\t" || !isControl($0) }) else {
                throw invalid("A text contains control characters.")
            }
            tidied += line.tidied
        }
        guard byteCount <= LyricsLimits.sourceBytes else {
            throw invalid("The texts are larger than \(LyricsLimits.sourceBytes) bytes.")
        }
        if isSynced {
            tidied = tidied.enumerated().sorted {
                ($0.element.startSeconds ?? 0, $0.offset) < ($1.element.startSeconds ?? 0, $1.offset)
            }.map(\.element)
        } else {
            while tidied.last?.text.isEmpty == true { tidied.removeLast() }
            tidied = Array(tidied.drop { $0.text.isEmpty })
        }
        let lyrics = Lyrics(isSynced: isSynced, lines: tidied)
        guard !lyrics.isEmpty else { throw invalid("No line has text; use DELETE to remove lyrics.") }
        return lyrics
    }
}
