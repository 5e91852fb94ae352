/// The reason why a picture cannot be scaled.
public struct CoverImageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a picture of a known format.
        public static let notAPicture = Code(rawValue: "not_a_picture")
        /// The format is known, but no decoder is installed for it.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The picture is damaged or truncated.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The picture has more pixels than the limit.
        public static let tooLarge = Code(rawValue: "too_large")
        /// Decoding takes longer than it does for a real picture.
        public static let tooSlow = Code(rawValue: "too_slow")
        /// The result could not be written.
        public static let encodingFailed = Code(rawValue: "encoding_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// A description for people.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
