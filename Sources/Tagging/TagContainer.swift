internal import CTagLib

/// How a file contains audio and tags; it decides where edits are written.
package enum TagContainer: Sendable, Hashable, CaseIterable {
    /// MPEG frames between tags: edits write ID3v2. Also any file that is of no other kind.
    case mpeg
    /// FLAC: edits write Vorbis comments and picture blocks.
    case flac
    /// Opus or Vorbis in Ogg: edits write Vorbis comments, pictures among them.
    case ogg
    /// WAV: edits write a chunk of ID3v2, and update the texts of RIFF INFO.
    case wav
    /// AIFF: edits write a chunk of ID3v2, and update the text chunks.
    case aiff
    /// MP4: edits write the items of iTunes.
    case mp4

    init(_ container: ctaglib_container) {
        self =
            switch container {
            case CTAGLIB_FLAC: .flac
            case CTAGLIB_WAV: .wav
            case CTAGLIB_AIFF: .aiff
            case CTAGLIB_OGG: .ogg
            case CTAGLIB_MP4: .mp4
            default: .mpeg
            }
    }

    /// The tag format that edits write.
    package var writtenKind: TagKinds {
        switch self {
        case .mpeg, .wav, .aiff: .id3v2
        case .flac, .ogg: .vorbis
        case .mp4: .mp4
        }
    }

    /// Whether new lyrics are stored as a text field of the file's tag (plain or LRC) instead of in ID3v2 frames.
    package var hasLyricsComments: Bool { writtenKind != .id3v2 }
}
