/// The reason why an HLS playlist cannot be used.
package struct HLSPlaylistError: Error, Sendable, Equatable {
    /// The kind of error.
    package enum Code: Sendable {
        /// The playlist is malformed.
        case malformed
        /// The stream requires a feature that is not supported.
        case unsupported
    }

    /// The kind of error.
    package let code: Code
    /// A description for people.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
