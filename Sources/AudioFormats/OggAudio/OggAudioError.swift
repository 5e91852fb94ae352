/// A reason why bytes could not be read as Ogg audio, or a stored index could not be used.
public struct OggAudioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes. Open-ended: new codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable lower-case name, suitable for logs and JSON.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The bytes are not an Ogg file.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// The file contains a codec other than Opus and Vorbis, or a variant of them that is not supported.
        public static let unsupportedCodec = Code(rawValue: "unsupported_codec")
        /// A header of the stream is missing or damaged.
        public static let noHeaders = Code(rawValue: "no_headers")
        /// No audio was found.
        public static let noAudio = Code(rawValue: "no_audio")
        /// A stored packet index is damaged or of an unknown version.
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
