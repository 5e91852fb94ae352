internal import Analyzer
package import MusicShared
internal import Tagging

/// All lyrics that a track has.
package struct LyricsFinding: Sendable {
    /// Lyrics, with the information to find their source again.
    struct Candidate: Sendable {
        let lyrics: TrackLyrics
        /// Index among the lyrics in the tags.
        var place: Int?
        var frame: ID3Lyrics?
        /// The text as read from an `.lrc` file, a Vorbis comment or `USLT`.
        var text: String?
    }

    /// Identifies the state of all lyrics of the track; differs after any change.
    package let stateName: String
    let file: FileState
    /// Sorted, the best first.
    let candidates: [Candidate]
    /// Name of the `.lrc` file, if there is one, readable or not.
    let sidecarName: [UInt8]?
    /// The container of the file, which decides how lyrics are stored.
    let container: TagContainer
    /// Duration of an MPEG frame in seconds, if the times in the tags are counted in MPEG frames.
    let frameSeconds: Double?

    /// All lyrics, the best first: synced ones before others; then the `.lrc` file, which was added by hand,
    /// before the tags; in these, Vorbis comments before `SYLT`, and `SYLT` before `USLT`.
    package var all: [TrackLyrics] { candidates.map(\.lyrics) }

    /// Returns the matching lyrics, the best first.
    /// - Parameters:
    ///   - source: only this source; nil for all.
    ///   - language: lyrics in this language come first.
    func candidates(_ source: LyricsSource?, _ language: String?) -> [Candidate] {
        let kept = candidates.filter { source == nil || $0.lyrics.source == source }
        guard let language else { return kept }
        return kept.filter { $0.lyrics.language == language }
            + kept.filter { $0.lyrics.language != language }
    }

    /// Returns the best matching lyrics as LRC: the original text, or one generated from the lines.
    /// - Returns: nil if there are no matching lyrics.
    /// - Throws: `invalidLyrics` if the lines cannot be written as LRC.
    package func lrc(source: LyricsSource?, language: String?) throws(LyricsError) -> String? {
        guard let best = candidates(source, language).first else { return nil }
        if let text = best.text { return text }
        let lyrics = Lyrics(isSynced: best.lyrics.isSynced, lines: best.lyrics.lines)
        guard let text = LRCWriter.text(of: lyrics) else {
            throw LyricsError(
                .invalidLyrics, "The lines cannot be written as LRC; request JSON instead.", field: "format")
        }
        return text
    }

    /// Returns the best matching lyrics; nil if nothing matches.
    /// - Parameters:
    ///   - source: only this source; nil for any.
    ///   - language: the preferred language.
    ///   - listsAll: whether to list the other matches as alternatives.
    package func lyrics(source: LyricsSource?, language: String?, listsAll: Bool) -> TrackLyrics? {
        let kept = candidates(source, language)
        var best = kept.first?.lyrics
        if listsAll { best?.alternatives = kept.dropFirst().map(\.lyrics) }
        return best
    }
}
