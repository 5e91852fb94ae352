internal import AVDecoder
internal import FLACAudio
internal import MP4Audio
internal import OggAudio
internal import PCMAudio

/// The format of a file, recognised by its first bytes. It chooses the ending of a downloaded file's name.
enum CachedFormat: String, Sendable, CaseIterable {
    case mp3, flac, ogg, wav, aiff, m4a

    /// Number of bytes that are needed to recognise a format.
    static let headByteCount = 12

    /// Recognises the format of a file; MP3 has no signature that all files have.
    init(head: [UInt8]) {
        let bytes = head.span.bytes
        switch PCMAudioStream.container(of: bytes) {
        case .wav: self = .wav
        case .aiff: self = .aiff
        case nil:
            self =
                OggFeed.isBeginning(head)
                ? .ogg : FLACFeed.isBeginning(head) ? .flac : MP4AudioStream.isMP4(bytes) ? .m4a : .mp3
        }
    }

    /// The ending of the file's name.
    var ending: String { ".\(rawValue)" }

    /// Whether this engine decodes it; if not, the host's MP3 stream is played.
    var isPlayable: Bool { self != .m4a || AVDecoder.isAvailable }
}
