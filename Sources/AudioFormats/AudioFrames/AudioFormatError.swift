/// A reason why bytes could not be read as audio of a format, or a stored index could not be used.
public struct AudioFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes. Open-ended: new codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable lower-case name, suitable for logs and JSON.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The bytes are not a file of the format.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// The file ends before the part that describes its audio.
        public static let truncated = Code(rawValue: "truncated")
        /// The audio is encrypted.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The container holds a codec, or a kind of one, that is not supported.
        public static let unsupportedCodec = Code(rawValue: "unsupported_codec")
        /// A WAV file contains MP3 frames instead of samples.
        public static let wrapsMP3 = Code(rawValue: "wraps_mp3")
        /// The STREAMINFO block of a FLAC file is missing or damaged.
        public static let noStreamInfo = Code(rawValue: "no_stream_info")
        /// A header of an Ogg stream is missing or damaged.
        public static let noHeaders = Code(rawValue: "no_headers")
        /// The chunk of a WAV or AIFF file that describes the samples is missing or contradicts itself.
        public static let noFormat = Code(rawValue: "no_format")
        /// No audio was found.
        public static let noAudio = Code(rawValue: "no_audio")
        /// A stored frame index is damaged or of an unknown version.
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
