/// An error of the server itself: opening a file, binding an address, starting the library.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The address cannot be bound: in use, not local, or not permitted.
        package static let cannotBind = Code(rawValue: "cannotBind")
        /// The text is not an IP address.
        package static let badAddress = Code(rawValue: "badAddress")
        /// The HTTP library did not start.
        package static let cannotStart = Code(rawValue: "cannotStart")
        /// The certificate or key cannot be read or is invalid.
        package static let badCertificate = Code(rawValue: "badCertificate")
        /// A file cannot be opened.
        package static let cannotOpen = Code(rawValue: "cannotOpen")
        /// Not a regular file, or a region does not lie within the file, or the file has changed.
        package static let badFile = Code(rawValue: "badFile")
        /// Reading, writing or compressing failed.
        package static let inputOutput = Code(rawValue: "inputOutput")
        /// The peer closed the connection, or the exchange was aborted.
        package static let connectionClosed = Code(rawValue: "connectionClosed")
        /// The number of bytes written differs from the announced length.
        package static let lengthMismatch = Code(rawValue: "lengthMismatch")
        /// A peer reads too slowly and its queue is full.
        package static let queueFull = Code(rawValue: "queueFull")
    }

    /// The kind of failure.
    package let code: Code
    /// A message for the user.
    package let message: String
    /// The file or address concerned.
    package let subject: String?
    /// The value of `errno`, or 0.
    package let errorNumber: Int32

    /// Creates an error.
    package init(_ code: Code, _ message: String, subject: String? = nil, errorNumber: Int32 = 0) {
        self.code = code
        self.message = message
        self.subject = subject
        self.errorNumber = errorNumber
    }

    /// The subject and the message.
    package var description: String { subject.map { "\($0): \(message)" } ?? message }
}

extension HTTPServerError {
    /// The client has disconnected.
    static let connectionClosed = HTTPServerError(.connectionClosed, "connection closed")
}
