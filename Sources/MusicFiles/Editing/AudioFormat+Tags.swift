package import MusicShared
package import Tagging

extension AudioFormat {
    /// How files of this format contain their tags.
    package var tagContainer: TagContainer {
        switch self {
        case .flac: .flac
        case .aac, .alac: .mp4
        case .opus, .vorbis: .ogg
        case .wav: .wav
        case .aiff: .aiff
        case .mp3: .mpeg
        }
    }
}
