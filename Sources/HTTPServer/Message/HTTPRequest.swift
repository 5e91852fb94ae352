/// An HTTP request.
package struct HTTPRequest: Sendable {
    /// The method.
    package var method: HTTPMethod
    /// The path and query as sent, percent-encoded.
    package let target: String
    /// The path as sent, percent-encoded.
    package let path: String
    /// The query.
    package let query: QueryParameters
    /// The header fields.
    package var fields: HTTPFields
    /// The values of the route's placeholders; empty before routing.
    package var parameters = PathParameters()
    /// Who sent the request, as middleware has found out; nil where none has.
    package var principal: (any Sendable)?
    /// The client's address, if there is a connection.
    package var remoteAddress: RemoteAddress?
    /// Whether the connection uses TLS.
    package var isSecure = false
    /// The identifier of the request in the log.
    package var id: RequestID
    /// The body.
    package var body: HTTPRequestBody

    /// Creates a request without a socket.
    package init(
        _ method: HTTPMethod = .get, _ target: String, fields: HTTPFields = [:],
        body: HTTPRequestBody = .empty,
        remoteAddress: RemoteAddress? = nil
    ) {
        self.init(
            method: method, target: target, fields: fields, body: body, remoteAddress: remoteAddress,
            id: .next())
    }

    init(
        method: HTTPMethod, target: String, fields: HTTPFields, body: HTTPRequestBody,
        remoteAddress: RemoteAddress?, id: RequestID
    ) {
        self.method = method
        self.target = target
        (path, query) = Self.parts(target)
        self.fields = fields
        self.body = body
        self.remoteAddress = remoteAddress
        self.id = id
    }

    /// Returns the path and query of a target.
    private static func parts(_ target: String) -> (path: String, query: QueryParameters) {
        let bytes = target.utf8Span.span
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else {
            let origin = originForm(target)
            return origin == target ? split(bytes) : parts(origin)
        }
        return split(bytes)
    }

    private static func split(_ bytes: Span<UInt8>) -> (path: String, query: QueryParameters) {
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"), in: 0..<bytes.count)
        // Clients that violate the protocol send a fragment.
        let end = bytes.firstIndex(of: UInt8(ascii: "#"), in: 0..<mark)
        let isQuery = end == mark && mark < bytes.count
        return (
            String(copying: bytes.extracting(..<end)),
            QueryParameters(isQuery ? String(copying: bytes.extracting((end + 1)...)) : "")
        )
    }

    /// Removes scheme and authority, which clients of proxies put before the path (RFC 9112 §3.2.2).
    private static func originForm(_ target: String) -> String {
        guard let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) })
        else { return target }
        let authority = target.utf8.dropFirst(scheme.utf8.count)
        guard let start = authority.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") })
        else {
            return "/"
        }
        return String(target[start...])
    }
}
