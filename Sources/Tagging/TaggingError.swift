/// A reason why the tags of a file could not be read or edited. A file without tags is not an error.
package struct TaggingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Error codes. Open-ended.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// Text of the code.
        package let rawValue: String

        /// Creates a code from its text.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file does not exist or cannot be opened.
        package static let cannotOpen = Code(rawValue: "cannot open")
        /// The path is a directory, a pipe or a device.
        package static let notARegularFile = Code(rawValue: "not a regular file")
        /// A read error.
        package static let readFailed = Code(rawValue: "read failed")
        /// Out of memory.
        package static let outOfMemory = Code(rawValue: "out of memory")
        /// An unexpected failure of the tag library.
        package static let libraryFailed = Code(rawValue: "tag library failed")
        /// A value cannot be stored in a tag; see ``TaggingError/field``.
        package static let invalidValue = Code(rawValue: "invalid value")
        /// A tag is truncated, overlaps another or is too large, so that editing it would lose data.
        package static let unsupportedTag = Code(rawValue: "unsupported tag")
    }

    /// The error code.
    package let code: Code
    /// Human-readable message.
    package let message: String
    /// The file for display: bytes that are not UTF-8 are replaced.
    package let path: String
    /// The system's error number, or 0.
    package let systemError: Int32
    /// The field that caused the error; nil if none in particular.
    package let field: TagField?

    /// Memberwise initializer.
    package init(
        _ code: Code, message: String, path: String, systemError: Int32 = 0, field: TagField? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.systemError = systemError
        self.field = field
    }

    /// The file and the message.
    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
