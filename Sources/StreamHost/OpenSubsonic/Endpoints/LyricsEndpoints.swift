internal import Catalogue
internal import Companion
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import OpenSubsonic

/// Lyrics from tags and `.lrc` files.
struct LyricsEndpoints: SubsonicEndpoints {
    let library: LibraryStore
    let lyrics: LyricsLibrary

    var handlers: [String: Handler] {
        [
            "getLyrics": { try plainLyrics($0.request) },
            "getLyricsBySongId": { try structuredLyrics($0.request) },
        ]
    }

    private func find(_ track: TrackItem) throws -> [TrackLyrics] {
        guard let path = RelativePath(text: track.relativePath) else { return [] }
        do {
            return try lyrics.find(path).all
        } catch  where error.code == .noSuchTrack {
            // The file is gone since the last scan.
            return []
        }
    }

    private func structuredLyrics(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let id = try request.trackID()
        guard let track = try library.catalogue({ try $0.track(id: id) }) else {
            throw SubsonicError.noSuch("song", ItemID.track(id).description)
        }
        let isEnhanced = request.flag("enhanced") ?? false
        let found = try find(track).map { Self.structured($0, of: track, isEnhanced: isEnhanced) }
        return .element("lyricsList", SubsonicObject(list: "structuredLyrics", found))
    }

    /// The text of the lyrics of an artist's song; empty for a song without lyrics, which is not an error.
    private func plainLyrics(_ request: SubsonicRequest) throws -> SubsonicAnswer {
        let artist = request.text("artist") ?? ""
        let title = request.text("title") ?? ""
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: 20)
        query.text = "\(artist) \(title)"
        let wanted = query
        let tracks =
            title.isEmpty
            ? []
            : try library.catalogue { try $0.tracks(wanted).items }.filter { track in
                track.title?.lowercased() == title.lowercased()
                    && (artist.isEmpty || track.artist?.lowercased() == artist.lowercased())
            }
        var object = SubsonicObject()
        for track in tracks {
            guard let best = try find(track).first else { continue }
            object.add("artist", track.artist)
            object.add("title", track.title)
            object.add(content: best.lines.map(\.text).joined(separator: "\n"))
            return .element("lyrics", object)
        }
        object.add(content: "")
        return .element("lyrics", object)
    }

    private static func structured(
        _ lyrics: TrackLyrics, of track: TrackItem, isEnhanced: Bool
    ) -> StructuredLyrics {
        let lines = lyrics.lines.map { line in
            StructuredLyrics.Line(
                start: lyrics.isSynced ? milliseconds(line.startSeconds ?? 0) : nil, text: line.text)
        }
        var structured = StructuredLyrics(
            language: lyrics.language ?? "und", isSynced: lyrics.isSynced, lines: lines)
        structured.artist = track.artist
        structured.title = SubsonicItems.title(track)
        if isEnhanced {
            structured.cueLines = lyrics.lines.enumerated().compactMap { cueLine($0.element, at: $0.offset) }
        }
        return structured
    }

    /// The words of a line; nil where they have no times.
    private static func cueLine(_ line: LyricsLine, at index: Int) -> StructuredLyrics.CueLine? {
        guard let words = line.words, !words.isEmpty else { return nil }
        var cues: [StructuredLyrics.Cue] = []
        var offset = 0
        for word in words where !word.text.isEmpty {
            cues.append(
                StructuredLyrics.Cue(
                    start: milliseconds(word.startSeconds), end: word.endSeconds.map(milliseconds),
                    text: word.text, firstByte: offset))
            offset += word.text.utf8.count
        }
        fillEnds(&cues, lineEnd: line.endSeconds.map(milliseconds))
        return StructuredLyrics.CueLine(
            index: index, start: line.startSeconds.map(milliseconds), end: line.endSeconds.map(milliseconds),
            text: words.map(\.text).joined(), cues: cues)
    }

    /// Either all words have an end or none, and none ends after the next begins: so the protocol wants it.
    private static func fillEnds(_ cues: inout [StructuredLyrics.Cue], lineEnd: Int?) {
        guard cues.contains(where: { $0.end != nil }), let last = cues.indices.last else { return }
        for index in cues.indices.dropLast() {
            let next = cues[index + 1].start
            cues[index].end = max(cues[index].start, min(cues[index].end ?? next, next))
        }
        if let end = cues[last].end ?? lineEnd {
            cues[last].end = max(end, cues[last].start)
        } else {
            for index in cues.indices { cues[index].end = nil }
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
}
