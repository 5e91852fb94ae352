/// A header field.
package struct HTTPField: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    package let name: HTTPFieldName
    /// The value, without line breaks and NUL.
    package let value: String

    /// Creates a field. Line breaks and NUL in the value, with which user-supplied text could inject further fields, become
    /// spaces (RFC 9110 §5.5); so do tabs.
    package init(_ name: HTTPFieldName, _ value: String) {
        self.name = name
        self.value =
            value.utf8Span.span.allSatisfy { !Self.isForbidden($0) }
            ? value : String(decoding: value.utf8.map { Self.isForbidden($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 9 || byte == 10 || byte == 13
    }

    /// The field as a line, without its line break.
    package var description: String { "\(name): \(value)" }
}
