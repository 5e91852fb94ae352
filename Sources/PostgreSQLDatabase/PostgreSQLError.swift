internal import Foundation

/// An error of a PostgreSQL server, or of the connection to it.
package struct PostgreSQLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Kind: Sendable, Equatable {
        /// The server cannot be reached, or does not accept connections now.
        case unreachable
        /// The connection was lost, or the server has not answered in time. The outcome of the running statement is unknown.
        case lost
        /// The server ran the statement, but warns that it is not as safe as required.
        case unsafe
        /// The server refused a statement.
        case refused
    }

    /// The kind of error.
    package let kind: Kind
    /// The server's code of the error, such as `42501` for a missing right (PostgreSQL documentation, appendix A); nil if it gave none.
    package let sqlState: String?
    /// The message, in one line and without passwords.
    package let message: String

    init(_ kind: Kind, sqlState: String? = nil, _ message: String) {
        self.kind = kind
        self.sqlState = sqlState
        let lines = message.split(whereSeparator: \.isNewline)
        self.message = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
    }

    /// The message, with the code.
    package var description: String { sqlState.map { "\(message) (\($0))" } ?? message }
}
