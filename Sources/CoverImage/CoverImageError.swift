/// Why a picture cannot be scaled.
public struct CoverImageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are no picture of a kind that is known.
        public static let notAPicture = Code(rawValue: "not_a_picture")
        /// The kind is known, but there is no decoder for it.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The picture is damaged or breaks off.
        public static let corrupt = Code(rawValue: "corrupt")
        /// The picture has more pixels than may be decoded.
        public static let tooLarge = Code(rawValue: "too_large")
        /// Decoding takes longer than a real picture would.
        public static let tooSlow = Code(rawValue: "too_slow")
        /// The result could not be written.
        public static let encodingFailed = Code(rawValue: "encoding_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
