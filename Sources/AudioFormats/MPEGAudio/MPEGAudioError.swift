/// A reason why bytes could not be read as MPEG audio, or a stored index could not be used.
public struct MPEGAudioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes. Open-ended: new codes may be added, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable lower-case name, suitable for logs and JSON.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The file is empty.
        public static let empty = Code(rawValue: "empty")
        /// The file is recognised as something else: an image, another audio format, text, zeros.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// The file contains only tags.
        public static let tagsOnly = Code(rawValue: "tags_only")
        /// No chain of frame headers was found, and the file type is not recognised.
        public static let noAudio = Code(rawValue: "no_audio")
        /// MPEG audio Layer I or II.
        public static let unsupportedLayer = Code(rawValue: "unsupported_layer")
        /// Free-format audio, which can be analysed but not cut into segments that players accept.
        public static let freeFormat = Code(rawValue: "free_format")
        /// A stored frame index is damaged or of an unknown version.
        public static let malformedIndex = Code(rawValue: "malformed_index")
        /// The file does not match the frame index.
        public static let indexMismatch = Code(rawValue: "index_mismatch")
        /// A gain change would move a `global_gain` field out of its eight bits.
        public static let gainOutOfRange = Code(rawValue: "gain_out_of_range")
        /// An argument is out of range.
        public static let invalidArgument = Code(rawValue: "invalid_argument")
    }

    /// The error code.
    public let code: Code
    /// A readable sentence without the file's name.
    public let message: String
    /// The byte offset of the problem, if applicable.
    public let offset: Int?

    /// Memberwise initializer.
    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
