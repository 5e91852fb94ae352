/// A reason why bytes could not be read as audio in MP4, or a stored index could not be used.
public struct MP4AudioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes. Open-ended: new codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable lower-case name, suitable for logs and JSON.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The bytes are not an MP4 file.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// The file ends before the box that describes its tracks.
        public static let truncated = Code(rawValue: "truncated")
        /// The audio is encrypted.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The audio is neither AAC nor ALAC, or of a kind of them that cannot be decoded.
        public static let unsupportedCodec = Code(rawValue: "unsupported_codec")
        /// The file contains no audio.
        public static let noAudio = Code(rawValue: "no_audio")
        /// A stored index is damaged or of an unknown version.
        public static let malformedIndex = Code(rawValue: "malformed_index")
    }

    /// The error code.
    public let code: Code
    /// A readable sentence without the file's name.
    public let message: String

    /// Memberwise initializer.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
