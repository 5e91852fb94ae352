/// The reason why a picture could not be made.
package struct TrackViewError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The graphics library failed, most likely for lack of memory.
        package static let drawingFailed = Code(rawValue: "drawing_failed")
        /// The file could not be written.
        package static let fileUnwritable = Code(rawValue: "file_unwritable")
    }

    /// The kind of failure.
    package let code: Code
    /// The reason in words.
    package let message: String
    /// The file's path; nil if none is involved.
    package let path: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The file, if there is one, and the reason.
    package var description: String { path.map { "\($0): \(message)" } ?? message }
}
