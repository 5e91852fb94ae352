/// The formats of music files: their names, file extensions and media types.
public enum AudioFormat: String, Sendable, Hashable, CaseIterable, Codable {
    /// MPEG audio, layer III.
    case mp3
    /// Free Lossless Audio Codec, in its own container.
    case flac

    /// The formats that scans, uploads and requests accept.
    public static let accepted: [AudioFormat] = [.mp3, .flac]

    /// The file extension with its dot.
    public var fileExtension: String { ".\(rawValue)" }

    /// The media type of a file.
    public var mediaType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .flac: "audio/flac"
        }
    }

    /// Returns the format that a file's name states by its extension; nil for other files and for a name without a stem.
    public init?(fileName: some BidirectionalCollection<UInt8>) {
        for format in Self.allCases where fileName.hasExtension(format.fileExtension) {
            self = format
            return
        }
        return nil
    }

    /// Returns the format that a file's name states by its extension; nil for other files and for a name without a stem.
    public init?(fileName: some StringProtocol) {
        self.init(fileName: Array(fileName.utf8))
    }

    /// Returns a file's name without the extension of an audio format.
    public static func stem(of fileName: String) -> String {
        guard let format = AudioFormat(fileName: fileName) else { return fileName }
        return String(fileName.dropLast(format.fileExtension.count))
    }

    /// Returns a file's name without the extension of an audio format.
    public static func stem(of fileName: [UInt8]) -> [UInt8] {
        guard let format = AudioFormat(fileName: fileName) else { return fileName }
        return Array(fileName.dropLast(format.fileExtension.utf8.count))
    }

    /// The file extensions of the accepted formats, for messages: ".mp3".
    public static var acceptedExtensions: String {
        accepted.map(\.fileExtension).joined(separator: " or ")
    }
}

extension BidirectionalCollection<UInt8> {
    /// Whether a name ends with an extension in ASCII letters of any case, and is longer than it.
    fileprivate func hasExtension(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        // Setting bit 5 turns letters into lower case, and leaves the dot and digits as they are.
        return count > wanted.count
            && suffix(wanted.count).elementsEqual(wanted) { $0 == $1 || $0 | 0x20 == $1 }
    }
}
