/// The reason why a station cannot be relayed. Contains no address, since addresses may hold secrets.
package struct RelayError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: String, Sendable {
        /// The address is malformed, or in a network that is not allowed.
        case badAddress
        /// The station cannot be reached, or closed the connection.
        case unreachable
        /// The station does not answer as expected, for example with an error or a list without stations.
        case badAnswer
        /// The format of the audio or of the stream is not supported.
        case unsupportedFormat
        /// As many stations as allowed are relayed already.
        case tooManyStations
        /// The host's disk is full or fails.
        case storage
        /// The relay was stopped.
        case stopped
    }

    /// The kind of error.
    package let code: Code
    /// A description for people.
    package let description: String

    /// The description as a sentence.
    package var sentence: String { "\(description.prefix(1).uppercased())\(description.dropFirst())." }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
