/// A range of a resource's bytes (RFC 9110 §14).
public struct TransportRange: Sendable, Hashable {
    /// The first byte, from 0.
    public var first: Int
    /// The last byte; nil for the resource's end.
    public var last: Int?

    /// From `first` to `last`, both of them included.
    public init(first: Int, last: Int? = nil) {
        self.first = first
        self.last = last
    }

    /// `count` bytes from `offset` on; nil where that is none at all.
    public init?(offset: Int, count: Int) {
        guard offset >= 0, count > 0, offset <= Int.max - count else { return nil }
        self.init(first: offset, last: offset + count - 1)
    }

    /// As a `Range` field states it after `bytes=`.
    public var text: String { "\(first)-\(last.map(String.init) ?? "")" }
}
