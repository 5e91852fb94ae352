internal import CTagLib

/// How lyrics are stored in a file.
package enum LyricsKind: Sendable, Hashable {
    /// The frame `USLT`: plain text, which may be LRC.
    case plainFrame
    /// The frame `SYLT`: synchronised text.
    case synchronisedFrame
    /// A Vorbis comment (`LYRICS`, `UNSYNCEDLYRICS`, `SYNCEDLYRICS`) or the item `©lyr` of MP4: plain text or LRC in UTF-8.
    case comment

    init(_ kind: ctaglib_lyrics_kind) {
        self =
            switch kind {
            case CTAGLIB_LYRICS_COMMENT: .comment
            case CTAGLIB_LYRICS_SYLT: .synchronisedFrame
            default: .plainFrame
            }
    }

    var libraryKind: ctaglib_lyrics_kind {
        switch self {
        case .plainFrame: CTAGLIB_LYRICS_USLT
        case .synchronisedFrame: CTAGLIB_LYRICS_SYLT
        case .comment: CTAGLIB_LYRICS_COMMENT
        }
    }
}
