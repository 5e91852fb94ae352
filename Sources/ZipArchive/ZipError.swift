/// The reason why a zip cannot be read.
package struct ZipError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a zip, or it is damaged.
        package static let damaged = Code(rawValue: "damaged_archive")
        /// One file in it cannot be read: it is damaged, encrypted, or compressed in an unknown way. The next one may be readable.
        package static let unreadableEntry = Code(rawValue: "unreadable_entry")
        /// The library cannot be initialised.
        package static let library = Code(rawValue: "library")
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
