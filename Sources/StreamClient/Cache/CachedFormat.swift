internal import FLACAudio

/// The format of a downloaded file, recognised by its first bytes. It chooses the ending of the file's name.
enum CachedFormat: String, Sendable, CaseIterable {
    case mp3, flac, ogg, wav, aiff

    /// Number of bytes that are needed to recognise a format.
    static let headByteCount = 4

    /// Recognises the format of a file; MP3 has no signature that all files have.
    init(head: [UInt8]) {
        switch String(decoding: head.prefix(Self.headByteCount), as: UTF8.self) {
        case "RIFF", "RF64", "BW64": self = .wav
        case "FORM": self = .aiff
        case "OggS": self = .ogg
        default: self = FLACFeed.isBeginning(head) ? .flac : .mp3
        }
    }

    /// The ending of the file's name.
    var ending: String { ".\(rawValue)" }

    /// Whether this engine decodes it; if not, the host's MP3 stream is played.
    var isPlayable: Bool { self == .mp3 || self == .flac || self == .ogg }
}
