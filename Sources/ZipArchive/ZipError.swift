/// The reason why a zip cannot be read.
public struct ZipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a zip, or it is damaged.
        public static let damaged = Code(rawValue: "damaged_archive")
        /// One file in it cannot be read: it is damaged, encrypted, or compressed in an unknown way. The next one may be readable.
        public static let unreadableEntry = Code(rawValue: "unreadable_entry")
        /// The library cannot be initialised.
        public static let library = Code(rawValue: "library")
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
