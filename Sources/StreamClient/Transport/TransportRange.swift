/// A range of a resource's bytes (RFC 9110 §14).
public struct TransportRange: Sendable, Hashable {
    /// Offset of the first byte.
    public var first: Int
    /// Offset of the last byte; nil for the end of the resource.
    public var last: Int?

    /// A range from `first` to `last`, inclusive.
    public init(first: Int, last: Int? = nil) {
        self.first = first
        self.last = last
    }

    /// `count` bytes from `offset`; nil if the range is empty or invalid.
    public init?(offset: Int, count: Int) {
        guard offset >= 0, count > 0, offset <= Int.max - count else { return nil }
        self.init(first: offset, last: offset + count - 1)
    }

    /// The value of a `Range` field after `bytes=`.
    public var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}
