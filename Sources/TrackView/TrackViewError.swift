/// Why a picture could not be made.
public struct TrackViewError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The graphics library gave up, for want of memory most likely.
        public static let drawingFailed = Code(rawValue: "drawing_failed")
        /// The file could not be written.
        public static let fileUnwritable = Code(rawValue: "file_unwritable")
    }

    /// What went wrong.
    public let code: Code
    /// The reason in words.
    public let message: String
    /// The file; nil where none is involved.
    public let path: String?

    /// Puts the parts together.
    public init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The file, if there is one, and the reason.
    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
