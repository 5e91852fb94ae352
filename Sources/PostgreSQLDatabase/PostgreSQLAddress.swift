internal import CPostgreSQL
internal import Foundation

/// The address of a PostgreSQL database: `postgres://USER@HOST:PORT/DATABASE`, with several hosts separated by commas.
///
/// Everything that libpq understands is allowed: see "Connection URIs" in PostgreSQL's documentation. Of several servers, the one
/// that accepts writes is used.
package struct PostgreSQLAddress: Sendable {
    /// Names of the schemes.
    private static let schemes = ["postgres://", "postgresql://"]

    let text: String
    /// The servers and the database, without the user, the password and the options: for messages.
    package let place: String
    /// Whether it contains a password.
    package let hasPassword: Bool

    /// Parses an address.
    /// - Throws: a message that says what is wrong.
    package init(_ text: String) throws(PostgreSQLError) {
        guard Self.schemes.contains(where: text.hasPrefix), !text.utf8.contains(0) else {
            throw PostgreSQLError(.refused, "the address must begin with postgres://")
        }
        // Without its message, which may repeat a part of the address, and so the password.
        guard let options = PQconninfoParse(text, nil) else {
            throw PostgreSQLError(
                .refused, "the address is malformed; write postgres://USER@HOST:PORT/DATABASE")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let name = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: name)] = String(cString: value) }
            option += 1
        }
        self.text = text
        hasPassword = !(values["password"] ?? "").isEmpty
        let hosts = (values["host"] ?? values["hostaddr"] ?? "localhost").split(
            separator: ",", omittingEmptySubsequences: false)
        let ports = (values["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let servers = hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return port.isEmpty ? String(host) : "\(host):\(port)"
        }
        place = "postgres://\(servers.joined(separator: ","))/\(values["dbname"] ?? values["user"] ?? "")"
    }
}
