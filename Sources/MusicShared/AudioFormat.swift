/// The formats of music files: their names, file extensions and media types.
public enum AudioFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// MPEG audio, layer III.
    case mp3
    /// Free Lossless Audio Codec, in its own container.
    case flac
    /// Advanced Audio Coding in MP4.
    case aac
    /// Apple Lossless Audio Codec in MP4.
    case alac
    /// Opus in Ogg.
    case opus
    /// Vorbis in Ogg.
    case vorbis
    /// PCM in a RIFF file.
    case wav
    /// PCM in an AIFF or AIFF-C file.
    case aiff

    /// The formats that scans, uploads and requests accept: those that this build can decode.
    public static let accepted: [AudioFormat] =
        [.mp3, .flac] + (canDecodeMP4 ? [.aac, .alac] : []) + [.opus, .vorbis, .wav, .aiff]

    /// Whether this build can decode AAC and ALAC, which needs libavcodec.
    public static var canDecodeMP4: Bool {
        #if LIBAVCODEC
        true
        #else
        false
        #endif
    }

    /// The name of the format.
    public var name: String {
        switch self {
        case .mp3: "MP3"
        case .flac: "FLAC"
        case .aac: "AAC"
        case .alac: "ALAC"
        case .opus: "Opus"
        case .vorbis: "Vorbis"
        case .wav: "WAV"
        case .aiff: "AIFF"
        }
    }

    /// The names of the accepted formats, and why others are missing: "MP3, FLAC, AAC and ALAC".
    public static var acceptedNames: String {
        let names = accepted.map(\.name)
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        return canDecodeMP4 ? list : list + "; built without libavcodec, so no AAC and ALAC"
    }

    /// The usual file extension, with its dot.
    public var fileExtension: String { fileExtensions[0] }

    /// The file extensions with their dots, the usual one first. Formats in the same container share theirs: only the content
    /// tells them apart.
    public var fileExtensions: [String] {
        switch self {
        case .mp3: [".mp3"]
        case .flac: [".flac"]
        case .aac, .alac: [".m4a", ".m4b", ".mp4"]
        case .opus: [".opus", ".ogg", ".oga"]
        case .vorbis: [".ogg", ".oga"]
        case .wav: [".wav"]
        case .aiff: [".aiff", ".aif", ".aifc"]
        }
    }

    /// Whether decoding gives exactly the samples that were encoded.
    public var isLossless: Bool {
        switch self {
        case .flac, .alac, .wav, .aiff: true
        case .mp3, .aac, .opus, .vorbis: false
        }
    }

    /// The media type of a file.
    public var mediaType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .flac: "audio/flac"
        case .aac, .alac: "audio/mp4"
        case .opus, .vorbis: "audio/ogg"
        case .wav: "audio/wav"
        case .aiff: "audio/aiff"
        }
    }

    /// Returns the format that a file's name suggests by its extension, the commonest where several share it; nil for other files
    /// and for a name without a stem.
    public init?(fileName: [UInt8]) {
        guard let found = Self.extensions.first(where: { fileName.hasExtension($0.bytes) }) else {
            return nil
        }
        self = found.format
    }

    /// All extensions and the formats they suggest, each format's usual one before the others'.
    private static let extensions: [(bytes: [UInt8], format: AudioFormat)] =
        allCases.map { (Array($0.fileExtension.utf8), $0) }
        + allCases.flatMap { format in format.fileExtensions.dropFirst().map { (Array($0.utf8), format) } }

    /// Number of bytes in the extension of an audio file's name; nil for other files.
    private static func extensionLength(of fileName: [UInt8]) -> Int? {
        extensions.first { fileName.hasExtension($0.bytes) }?.bytes.count
    }

    /// Returns the format that a file's name states by its extension; nil for other files and for a name without a stem.
    public init?(fileName: some StringProtocol) {
        self.init(fileName: Array(fileName.utf8))
    }

    /// Returns a file's name without the extension of an audio format.
    public static func stem(of fileName: String) -> String {
        guard let length = extensionLength(of: Array(fileName.utf8)) else { return fileName }
        return String(fileName.dropLast(length))
    }

    /// Returns a file's name without the extension of an audio format.
    public static func stem(of fileName: [UInt8]) -> [UInt8] {
        guard let length = extensionLength(of: fileName) else { return fileName }
        return Array(fileName.dropLast(length))
    }

    /// The usual file extensions of the accepted formats, for messages: ".mp3, .flac or .wav".
    public static var acceptedExtensions: String {
        var names: [String] = []
        for format in accepted where !names.contains(format.fileExtension) {
            names.append(format.fileExtension)
        }
        guard let last = names.popLast(), !names.isEmpty else { return accepted[0].fileExtension }
        return names.joined(separator: ", ") + " or " + last
    }
}

extension [UInt8] {
    /// Whether a name ends with an extension in ASCII letters of any case, and is longer than it. Scans ask for every file: a loop over
    /// an array is much faster than generic code.
    fileprivate func hasExtension(_ wanted: [UInt8]) -> Bool {
        let start = count - wanted.count
        guard start > 0 else { return false }
        for index in wanted.indices.reversed() {
            // Setting bit 5 turns letters into lower case, and leaves the dot and digits as they are.
            let byte = self[start + index]
            guard byte == wanted[index] || byte | 0x20 == wanted[index] else { return false }
        }
        return true
    }
}
