/// A reason why the tags of a file could not be read or edited. A file without tags is not an error.
public struct TaggingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Error codes. Open-ended.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Text of the code.
        public let rawValue: String

        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file does not exist or cannot be opened.
        public static let cannotOpen = Code(rawValue: "cannot open")
        /// The path is a directory, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not a regular file")
        /// A read error.
        public static let readFailed = Code(rawValue: "read failed")
        /// Out of memory.
        public static let outOfMemory = Code(rawValue: "out of memory")
        /// An unexpected failure of the tag library.
        public static let libraryFailed = Code(rawValue: "tag library failed")
        /// A value cannot be stored in a tag; see ``TaggingError/field``.
        public static let invalidValue = Code(rawValue: "invalid value")
        /// A tag is truncated, overlaps another or is too large, so that editing it would lose data.
        public static let unsupportedTag = Code(rawValue: "unsupported tag")
    }

    /// The error code.
    public let code: Code
    /// Human-readable message.
    public let message: String
    /// The file for display: bytes that are not UTF-8 are replaced.
    public let path: String
    /// The system's error number, or 0.
    public let systemError: Int32
    /// The field that caused the error; nil if none in particular.
    public let field: TagField?

    /// Memberwise initializer.
    public init(
        _ code: Code, message: String, path: String, systemError: Int32 = 0, field: TagField? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.systemError = systemError
        self.field = field
    }

    /// The file and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
