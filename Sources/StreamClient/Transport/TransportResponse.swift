/// An HTTP response: the head, and a body that is streamed.
public struct TransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: TransportFields
    /// The URL that responded; differs from the requested one after redirects.
    public var address: String
    /// The body. Can be read once.
    public var body: TransportBody

    /// Creates a response from its parts.
    public init(status: Int, fields: TransportFields = [:], address: String = "", body: TransportBody) {
        self.status = status
        self.fields = fields
        self.address = address
        self.body = body
    }

    /// Size of the body in bytes, if stated by the server.
    public var contentLength: Int? {
        fields["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The media type without parameters, in lower case; nil if not stated.
    public var mediaType: String? {
        fields["content-type"].map {
            $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
    }

    /// The byte range of a `206` or `416` response from its `Content-Range` field (RFC 9110 §14.4); nil if missing or
    /// invalid.
    public var contentRange: TransportContentRange? {
        fields["content-range"].flatMap { TransportContentRange($0) }
    }
}

/// The value of a `Content-Range` field.
public struct TransportContentRange: Sendable, Equatable {
    /// The bytes of the body; nil in a 416 response.
    public var range: ClosedRange<Int>?
    /// Size of the whole resource in bytes; nil if unknown.
    public var total: Int?

    /// Parses the value of the field. Nil if it is invalid.
    public init?(_ value: String) {
        guard value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        total = Int(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        guard parts[0] != "*" else { return }
        let ends = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .compactMap { Int($0) }
        guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] < total ?? .max else { return nil }
        range = ends[0]...ends[1]
    }
}
