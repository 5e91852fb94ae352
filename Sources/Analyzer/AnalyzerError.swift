internal import MP3Decoder

/// Why a track could not be analysed.
public struct AnalyzerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file could not be opened, read or mapped.
        public static let fileUnreadable = Code(rawValue: "file_unreadable")
        /// There is no file of this path any more.
        public static let fileVanished = Code(rawValue: "file_vanished")
        /// The path names no regular file.
        public static let notARegularFile = Code(rawValue: "not_a_regular_file")
        /// The file was cut, replaced or grew while it was being read.
        public static let fileChanged = Code(rawValue: "file_changed")
        /// The bytes hold no MP3 audio, or audio that this program does not analyse.
        public static let notMP3 = Code(rawValue: "not_mp3")
        /// The end of the stream is missing. Only where a whole file is asked for: an analysis takes what is there.
        public static let truncated = Code(rawValue: "truncated")
        /// The decoder makes nothing of the stream. Only where that is asked for.
        public static let undecodable = Code(rawValue: "undecodable")
        /// The caller ended the analysis.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The decoder could not be set up or gave up.
        public static let decoderFailed = Code(rawValue: "decoder_failed")
    }

    /// What went wrong.
    public let code: Code
    /// The reason in words, without the path.
    public let message: String

    /// Puts the parts together.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension AnalyzerError {
    /// The decoder's failure.
    init(_ error: DecoderError) { self.init(.decoderFailed, error.description) }
}
