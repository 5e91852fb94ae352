/// Why bytes could not be read as MPEG audio, or a stored index could not be used.
public struct MPEGAudioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. Open-ended: new codes may come, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable, lower-case name, fit for logs and JSON.
        public let rawValue: String

        /// A code of the given stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stable name.
        public var description: String { rawValue }

        /// The file holds no bytes at all.
        public static let empty = Code(rawValue: "empty")
        /// The file is recognised as something else: a picture, another audio format, text, zeros.
        public static let otherFileType = Code(rawValue: "other_file_type")
        /// Tags were found and nothing besides.
        public static let tagsOnly = Code(rawValue: "tags_only")
        /// No chain of frame headers was found, and the file is of no recognised type.
        public static let noAudio = Code(rawValue: "no_audio")
        /// MPEG audio of layer I or II.
        public static let unsupportedLayer = Code(rawValue: "unsupported_layer")
        /// Free-format audio, which is analysed but cannot be cut into segments that players accept.
        public static let freeFormat = Code(rawValue: "free_format")
        /// A stored frame index is damaged or of an unknown version.
        public static let malformedIndex = Code(rawValue: "malformed_index")
        /// The file's bytes are not those that the index was made from.
        public static let indexMismatch = Code(rawValue: "index_mismatch")
        /// A change of level would take a `global_gain` field out of its eight bits.
        public static let gainOutOfRange = Code(rawValue: "gain_out_of_range")
        /// An argument lies outside its range.
        public static let invalidArgument = Code(rawValue: "invalid_argument")
    }

    /// The kind of failure.
    public let code: Code
    /// One sentence for people, without the file's name.
    public let message: String
    /// The byte offset that the failure concerns, where there is one.
    public let offset: Int?

    /// An error of the given kind.
    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The code and the sentence.
    public var description: String { "\(code): \(message)" }
}
