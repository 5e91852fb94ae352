internal import MP3Decoder

/// A reason why a track could not be analysed.
public struct AnalyzerError: Error, Sendable, CustomStringConvertible {
    /// Error codes; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file could not be opened, read or mapped.
        public static let fileUnreadable = Code(rawValue: "file_unreadable")
        /// The file no longer exists at this path.
        public static let fileVanished = Code(rawValue: "file_vanished")
        /// The path does not name a regular file.
        public static let notARegularFile = Code(rawValue: "not_a_regular_file")
        /// The file was truncated, replaced or extended while it was being read.
        public static let fileChanged = Code(rawValue: "file_changed")
        /// The file contains no audio of a supported format.
        public static let noAudio = Code(rawValue: "no_audio")
        /// The audio has a sample rate that the measurements are not made for.
        public static let unsupportedSampleRate = Code(rawValue: "unsupported_sample_rate")
        /// The audio is encrypted.
        public static let encrypted = Code(rawValue: "encrypted")
        /// The audio has a codec that this build cannot decode.
        public static let unsupportedCodec = Code(rawValue: "unsupported_codec")
        /// The end of the stream is missing. Only reported where a complete file is required; an analysis uses what is present.
        public static let truncated = Code(rawValue: "truncated")
        /// The stream cannot be decoded. Only reported where decodability is checked.
        public static let undecodable = Code(rawValue: "undecodable")
        /// The caller cancelled the analysis.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The decoder could not be initialised or failed.
        public static let decoderFailed = Code(rawValue: "decoder_failed")
    }

    /// The error code.
    public let code: Code
    /// The reason, without the path.
    public let message: String

    /// Memberwise initializer.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension AnalyzerError {
    /// Wraps a decoder error.
    init(_ error: DecoderError) { self.init(.decoderFailed, error.description) }
}
