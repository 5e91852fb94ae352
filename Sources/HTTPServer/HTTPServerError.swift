/// What went wrong in the server itself: opening a file, binding an address, starting the library.
public struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; open-ended.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// Its name.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The address cannot be listened on: in use, not this machine's, or not permitted.
        public static let cannotBind = Code(rawValue: "cannotBind")
        /// The text is no address.
        public static let badAddress = Code(rawValue: "badAddress")
        /// The HTTP library did not start.
        public static let cannotStart = Code(rawValue: "cannotStart")
        /// The certificate or key cannot be read or used.
        public static let badCertificate = Code(rawValue: "badCertificate")
        /// A file cannot be opened.
        public static let cannotOpen = Code(rawValue: "cannotOpen")
        /// A file is no regular file, or a region does not lie within it.
        public static let badFile = Code(rawValue: "badFile")
        /// Reading or mapping a file failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The peer has gone, or the exchange was given up.
        public static let connectionClosed = Code(rawValue: "connectionClosed")
        /// More bytes were written than announced, or fewer.
        public static let lengthMismatch = Code(rawValue: "lengthMismatch")
        /// A peer reads so slowly that its queue is full.
        public static let queueFull = Code(rawValue: "queueFull")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The file or address.
    public let subject: String?
    /// The system's error number, or 0.
    public let errorNumber: Int32

    /// Makes an error.
    public init(_ code: Code, _ message: String, subject: String? = nil, errorNumber: Int32 = 0) {
        self.code = code
        self.message = message
        self.subject = subject
        self.errorNumber = errorNumber
    }

    /// The subject and what happened.
    public var description: String { subject.map { "\($0): \(message)" } ?? message }
}
