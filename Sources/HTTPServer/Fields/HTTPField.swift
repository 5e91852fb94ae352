/// A header field.
public struct HTTPField: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let name: HTTPFieldName
    /// The value, without line breaks and NUL.
    public let value: String

    /// Creates a field. Line breaks and NUL in the value, with which user-supplied text could inject further fields, become
    /// spaces (RFC 9110 §5.5); so do tabs.
    public init(_ name: HTTPFieldName, _ value: String) {
        self.name = name
        let isForbidden: (UInt8) -> Bool = { $0 == 0 || $0 == 9 || $0 == 10 || $0 == 13 }
        self.value =
            value.utf8.contains(where: isForbidden)
            ? String(decoding: value.utf8.map { isForbidden($0) ? 0x20 : $0 }, as: UTF8.self) : value
    }

    /// The field as a line, without its line break.
    public var description: String { "\(name): \(value)" }
}
