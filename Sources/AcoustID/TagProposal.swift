internal import Foundation
package import Tagging

/// The tags that AcoustID suggests for a track.
package enum TagProposal: Sendable, Equatable {
    /// No recording is similar enough.
    case unknown
    /// Recordings of different titles or artists are equally similar, and the tags agree with none of them.
    case ambiguous([AcoustIDRecording])
    /// This recording; the release is nil if the tags name another one. The edit is empty if the tags are right.
    case recording(AcoustIDRecording, release: AcoustIDRecording.Release?, TagEdit)

    /// Minimum score of a recording.
    package static let leastScore = 0.8
    /// Scores closer than this are equal.
    private static let tolerance = 0.02

    /// Chooses among recordings.
    ///
    /// Of the most similar ones, one whose title and artist are those of the tags is preferred. A release is proposed if the tags
    /// have no album: the first one. Texts that differ only in case or accents are left as they are.
    /// - Parameter recordings: the most similar ones first.
    package init(_ recordings: [AcoustIDRecording], for tags: TrackTags) {
        guard let best = recordings.first, best.score >= Self.leastScore else {
            self = .unknown
            return
        }
        let likely = recordings.filter { $0.score >= best.score - Self.tolerance }
        let agreeing = likely.first { Self.agree($0.title, tags.title) && Self.agree($0.artist, tags.artist) }
        let isClear = likely.allSatisfy {
            Self.agree($0.title, best.title) && Self.agree($0.artist, best.artist)
        }
        guard let chosen = agreeing ?? (isClear ? best : nil) else {
            self = .ambiguous(likely)
            return
        }
        let album = tags.album ?? ""
        let release =
            album.isEmpty ? chosen.releases.first : chosen.releases.first { Self.agree($0.title, album) }
        var edit = TagEdit()
        if !Self.agree(chosen.title, tags.title) { edit.title = .set(chosen.title) }
        if !Self.agree(chosen.artist, tags.artist) { edit.artist = .set(chosen.artist) }
        if album.isEmpty, let release { edit.album = .set(release.title) }
        self = .recording(chosen, release: release, edit)
    }

    private static func agree(_ text: String, _ other: String?) -> Bool {
        guard let other else { return false }
        return text.compare(other, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive])
            == .orderedSame
    }
}
