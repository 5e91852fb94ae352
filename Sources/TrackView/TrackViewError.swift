/// The reason why a picture could not be made.
public struct TrackViewError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The graphics library failed, most likely for lack of memory.
        public static let drawingFailed = Code(rawValue: "drawing_failed")
        /// The file could not be written.
        public static let fileUnwritable = Code(rawValue: "file_unwritable")
    }

    /// The kind of failure.
    public let code: Code
    /// The reason in words.
    public let message: String
    /// The file's path; nil if none is involved.
    public let path: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The file, if there is one, and the reason.
    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
