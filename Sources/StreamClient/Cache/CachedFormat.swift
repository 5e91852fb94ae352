internal import AVDecoder
internal import FLACAudio

/// The format of a file, recognised by its first bytes. It chooses the ending of a downloaded file's name.
enum CachedFormat: String, Sendable, CaseIterable {
    case mp3, flac, ogg, wav, aiff, m4a

    /// Number of bytes that are needed to recognise a format.
    static let headByteCount = 12

    /// Recognises the format of a file; MP3 has no signature that all files have.
    init(head: [UInt8]) {
        func name(_ offset: Int) -> String {
            String(decoding: head.dropFirst(offset).prefix(4), as: UTF8.self)
        }
        switch (name(0), name(8)) {
        // A WAV file without samples of its own may contain MP3.
        case ("RIFF", "WAVE"), ("RF64", "WAVE"), ("BW64", "WAVE"): self = .wav
        case ("FORM", "AIFF"), ("FORM", "AIFC"): self = .aiff
        case ("OggS", _): self = .ogg
        case _ where name(4) == "ftyp": self = .m4a
        default: self = FLACFeed.isBeginning(head) ? .flac : .mp3
        }
    }

    /// The ending of the file's name.
    var ending: String { ".\(rawValue)" }

    /// Whether this engine decodes it; if not, the host's MP3 stream is played.
    var isPlayable: Bool { self != .m4a || AVDecoder.isAvailable }
}
