/// An error of the protocol, answered with HTTP status 200.
package struct SubsonicError: Error, Sendable, Equatable, SubsonicRepresentable {
    /// The protocol's error codes.
    package enum Code: Int, Sendable, CaseIterable {
        /// Any error without a code of its own.
        case generic = 0
        /// A required parameter is missing.
        case missingParameter = 10
        /// The client speaks an older protocol than the server.
        case clientTooOld = 20
        /// The client speaks a newer protocol than the server.
        case serverTooOld = 30
        /// The user name or password is wrong.
        case wrongCredentials = 40
        /// Salted tokens are not supported for this user.
        case tokenNotSupported = 41
        /// The way to authenticate is not supported.
        case mechanismNotSupported = 42
        /// Several ways to authenticate were used at once.
        case conflictingMechanisms = 43
        /// The API key is invalid.
        case invalidAPIKey = 44
        /// The user may not do this.
        case notAuthorized = 50
        /// The requested data do not exist.
        case notFound = 70
    }

    /// The code.
    package let code: Code
    /// The problem and its remedy, for a person.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error for a parameter that is required and missing.
    package static func missing(_ parameter: String) -> SubsonicError {
        SubsonicError(.missingParameter, "Required parameter \"\(parameter)\" is missing.")
    }

    /// The fields of the `error` element.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("code", code.rawValue)
        object.add("message", message)
        return object
    }
}
