package import MusicShared
package import Tagging

extension AudioFormat {
    /// How files of this format contain their tags.
    package var tagContainer: TagContainer {
        switch self {
        case .flac: .flac
        case .aac, .alac: .mp4
        case .mp3, .opus, .vorbis, .wav, .aiff: .mpeg
        }
    }
}
