/// Why a look-up at AcoustID failed. The description contains neither the address nor the key.
package struct AcoustIDError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Code: Sendable, Equatable {
        /// The address of the service cannot be used.
        case badSettings
        /// The service does not know the key.
        case refused
        /// The service cannot be reached, limits the number of requests or reports a failure of its own.
        case unavailable
        /// The answer is not one of AcoustID.
        case foreignAnswer
        /// The service reports that the request is invalid.
        case invalidRequest
    }

    /// The kind of error.
    package let code: Code
    /// A description for people.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
