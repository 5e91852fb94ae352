/// Why the tags of a file could not be read or edited. A file without tags is not an error.
public struct TaggingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure. Open-ended.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The kind in words.
        public let rawValue: String

        /// Makes a code of its words.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file is not there, or may not be read.
        public static let cannotOpen = Code(rawValue: "cannot open")
        /// It is a folder, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not a regular file")
        /// The disk refused to give the bytes.
        public static let readFailed = Code(rawValue: "read failed")
        /// Memory ran out.
        public static let outOfMemory = Code(rawValue: "out of memory")
        /// The tag library failed in a way it should not.
        public static let libraryFailed = Code(rawValue: "tag library failed")
        /// A value cannot stand in a tag; ``TaggingError/field`` says which.
        public static let invalidValue = Code(rawValue: "invalid value")
        /// A tag is cut off, overlaps another or is too large, so that editing it would lose something.
        public static let unsupportedTag = Code(rawValue: "unsupported tag")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The file, for a person to read: bytes that are not UTF-8 are replaced.
    public let path: String
    /// The system's error number, 0 if the system had no part in it.
    public let systemError: Int32
    /// The field that an edit failed at; nil if it was none in particular.
    public let field: TagField?

    /// Makes an error.
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
