internal import Analyzer
public import MusicShared

/// All lyrics that a track has.
public struct LyricsFinding: Sendable {
    /// Lyrics, and how to find the place again that they are from.
    struct Candidate: Sendable {
        let lyrics: TrackLyrics
        /// The place among the lyrics frames of the tags.
        var place: Int?
        var frame: ID3Lyrics?
        /// The text that was read, of an `.lrc` file or `USLT`.
        var text: String?
    }

    /// A name for the state of all of it: another one after any change.
    public let stateName: String
    let file: FileState
    /// The best first.
    let candidates: [Candidate]
    /// The `.lrc` file, if there is one, readable or not.
    let sidecarName: [UInt8]?
    /// Seconds of an MPEG frame, where a frame's times need it.
    let frameSeconds: Double?

    /// All lyrics, the best first: with times before those without; then the `.lrc` file, which a person has put there,
    /// before the tags, and `SYLT` before `USLT`.
    public var all: [TrackLyrics] { candidates.map(\.lyrics) }

    /// What is wanted, the best first.
    /// - Parameters:
    ///   - source: only of this kind.
    ///   - language: of this language first.
    func candidates(_ source: LyricsSource?, _ language: String?) -> [Candidate] {
        let kept = candidates.filter { source == nil || $0.lyrics.source == source }
        guard let language else { return kept }
        return kept.filter { $0.lyrics.language == language } + kept.filter { $0.lyrics.language != language }
    }

    /// The lyrics that are wanted; nil where there are none.
    /// - Parameters:
    ///   - source: only of this kind; nil for any.
    ///   - language: rather of this language.
    ///   - listsAll: whether those that come after are listed too.
    public func lyrics(source: LyricsSource?, language: String?, listsAll: Bool) -> TrackLyrics? {
        let kept = candidates(source, language)
        var best = kept.first?.lyrics
        if listsAll { best?.alternatives = kept.dropFirst().map(\.lyrics) }
        return best
    }
}
