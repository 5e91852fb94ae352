/// The name of a header field, case-insensitive (RFC 9110 §5.1).
package struct HTTPFieldName: Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case, used for comparison.
    package let canonicalName: String
    /// The name in wire format.
    package let rawName: String

    /// Creates a name; nil if `name` is not a token (RFC 9110 §5.6.2).
    package init?(_ name: String) {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { return nil }
        self.init(token: name)
    }

    /// Creates a name from a known token.
    init(token name: String) {
        rawName = name
        canonicalName = name.lowercased()
    }

    /// Creates a name from a token already in lower case, as received names are stored.
    init(lowercaseToken name: String) {
        rawName = name
        canonicalName = name
    }

    /// The name in wire format.
    package var description: String { rawName }

    /// Whether both are the same name.
    package static func == (a: HTTPFieldName, b: HTTPFieldName) -> Bool {
        // Most names differ in length, which is faster to compare.
        a.canonicalName.utf8.count == b.canonicalName.utf8.count && a.canonicalName == b.canonicalName
    }

    /// Hashes the lower-case name.
    package func hash(into hasher: inout Hasher) { hasher.combine(canonicalName) }
}

/// Whether a byte is allowed in a token (RFC 9110 §5.6.2, `tchar`).
func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
        UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
    default: false
    }
}
