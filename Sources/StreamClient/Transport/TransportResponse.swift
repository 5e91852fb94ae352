/// What a server answered: the head, and the content as it comes.
public struct TransportResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: TransportFields
    /// The address that answered: another than was asked for, where redirections were followed.
    public var address: String
    /// The content. Read once.
    public var body: TransportBody

    /// Puts the parts together.
    public init(status: Int, fields: TransportFields = [:], address: String = "", body: TransportBody) {
        self.status = status
        self.fields = fields
        self.address = address
        self.body = body
    }

    /// How many bytes the content has, where the server says so.
    public var contentLength: Int? {
        fields["content-length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The media type without parameters, in small letters; nil where none is told.
    public var mediaType: String? {
        fields["content-type"].map {
            $0.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        }
    }

    /// Which bytes of how many a `206` or `416` holds, by its `Content-Range` field (RFC 9110 §14.4); nil where there is none
    /// that makes sense.
    public var contentRange: TransportContentRange? {
        fields["content-range"].flatMap { TransportContentRange($0) }
    }
}

/// What a `Content-Range` field states.
public struct TransportContentRange: Sendable, Equatable {
    /// The bytes of the content; nil in an answer that no bytes can satisfy.
    public var range: ClosedRange<Int>?
    /// How many bytes the whole resource has; nil where the server does not know.
    public var total: Int?

    /// Reads the field's value. Nil where it is none.
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
