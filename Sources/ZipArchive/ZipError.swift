/// Why a zip cannot be read.
public struct ZipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are no zip, or a damaged one.
        public static let damaged = Code(rawValue: "damaged_archive")
        /// One file in it cannot be read: damaged, encrypted, or packed in a way that is not known. The next one may be.
        public static let unreadableEntry = Code(rawValue: "unreadable_entry")
        /// The library cannot be set up.
        public static let library = Code(rawValue: "library")
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
