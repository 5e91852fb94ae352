/// A reason why bytes could not be read as a WAV or AIFF file.
public struct PCMAudioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes. Open-ended: new codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable lower-case name, suitable for logs and JSON.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The bytes are neither a WAV nor an AIFF file.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// The chunk that describes the samples is missing or contradicts itself.
        public static let noFormat = Code(rawValue: "no_format")
        /// The samples are compressed in a way that is not supported.
        public static let unsupportedCodec = Code(rawValue: "unsupported_codec")
        /// A WAV file contains MP3 frames instead of samples.
        public static let wrapsMP3 = Code(rawValue: "wraps_mp3")
        /// There are no samples.
        public static let noAudio = Code(rawValue: "no_audio")
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
