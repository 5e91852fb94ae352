/// The reason why a picture cannot be scaled.
package struct CoverImageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a picture of a known format.
        package static let notAPicture = Code(rawValue: "not_a_picture")
        /// The format is known, but no decoder is installed for it.
        package static let unsupported = Code(rawValue: "unsupported")
        /// The picture is damaged or truncated.
        package static let corrupt = Code(rawValue: "corrupt")
        /// The picture has more pixels than the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// Decoding takes longer than it does for a real picture.
        package static let tooSlow = Code(rawValue: "too_slow")
        /// The result could not be written.
        package static let encodingFailed = Code(rawValue: "encoding_failed")
    }

    /// The kind of failure.
    package let code: Code
    /// A description for people.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
