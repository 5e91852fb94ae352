/// An access log entry for a completed request. It contains no header fields, and no secrets from the query.
package struct AccessLogEntry: Sendable, CustomStringConvertible {
    /// The request's identifier.
    package let id: RequestID
    /// The client's address.
    package let remoteAddress: RemoteAddress?
    /// The method.
    package let method: HTTPMethod
    /// The path and query, with the values of parameters that may be secrets replaced by `***`.
    package let target: String
    /// The status of the response; nil if none was sent.
    package let status: HTTPStatus?
    /// The length of the response's content, if known.
    package let byteCount: Int?
    /// Whether the response was sent completely.
    package let isComplete: Bool
    /// Time from the request's first line to the end of the response, in nanoseconds.
    package let durationNanoseconds: UInt64

    /// The entry as a line of text.
    package var description: String {
        let length = byteCount.map(String.init) ?? "-"
        let milliseconds = Double(durationNanoseconds / 1000) / 1000
        return
            "\(id) \(remoteAddress?.host ?? "-") \(method) \(target) \(status?.description ?? "-") \(length) "
            + "\(milliseconds)ms\(isComplete ? "" : " incomplete")"
    }

    private static let secretNames: Set<String> = [
        "token", "key", "apikey", "api_key", "access_token", "auth", "password", "p", "secret", "sig",
        "signature", "t", "s",
    ]

    /// Returns a request target without control characters and without the values of parameters that may be secrets.
    static func redacted(_ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var text = printable(withoutSecret(parts[0]))
        if parts.count == 2 {
            let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { pair in
                let name = pair.prefix { $0 != "=" }
                let plain = (percentDecoded(name, plusIsSpace: true) ?? String(name)).lowercased()
                return secretNames.contains(plain) && name.endIndex < pair.endIndex
                    ? "\(printable(name))=***" : printable(pair)
            }
            text += "?" + pairs.joined(separator: "&")
        }
        return text
    }

    /// Paths whose next part is a secret.
    private static let secretFolders = ["/share/"]

    private static func withoutSecret(_ path: Substring) -> Substring {
        guard let folder = secretFolders.first(where: path.hasPrefix) else { return path }
        return Substring("\(folder)***\(path.dropFirst(folder.count).drop { $0 != "/" })")
    }

    private static func printable(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == 0x22 }) else {
            return String(text)
        }
        return String(
            decoding: text.utf8.map { $0 <= 0x20 || $0 == 0x7F || $0 == 0x22 ? UInt8(ascii: "_") : $0 },
            as: UTF8.self)
    }
}
