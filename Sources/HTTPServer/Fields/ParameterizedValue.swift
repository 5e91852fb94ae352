/// A field value with parameters, as in `Content-Type` and `Content-Disposition`: `form-data; name="file"` (RFC 9110 §5.6.6).
package struct ParameterizedValue: Sendable, Hashable {
    /// The value before the parameters, in lower case.
    package let value: String
    private let parameters: [(name: String, value: String)]

    /// Parses a value. Parsing stops at the first invalid parameter.
    package init(_ text: String) {
        var rest = Array(text.utf8)[...]
        let head = rest.prefix { $0 != UInt8(ascii: ";") }
        value = String(decoding: head, as: UTF8.self).trimmingWhitespace().lowercased()
        rest = rest.dropFirst(head.count)
        var found: [(name: String, value: String)] = []
        while let parameter = Self.takeParameter(&rest) { found.append(parameter) }
        parameters = found
    }

    /// The first value of a parameter; its name is case-insensitive.
    package subscript(name: String) -> String? {
        let name = name.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    private static func takeParameter(_ rest: inout ArraySlice<UInt8>) -> (name: String, value: String)? {
        rest = rest.drop { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let name = rest.prefix(while: isTokenByte)
        rest = rest.dropFirst(name.count).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var value: [UInt8] = []
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            while let byte = rest.first, byte != UInt8(ascii: "\"") {
                rest = rest.dropFirst()
                // Old browsers send complete Windows paths, whose backslashes are literal.
                if byte == UInt8(ascii: "\\"), let next = rest.first,
                    next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
                {
                    rest = rest.dropFirst()
                    value.append(next)
                } else {
                    value.append(byte)
                }
            }
            rest = rest.dropFirst()
        } else {
            value = Array(rest.prefix { $0 != UInt8(ascii: ";") })
            rest = rest.dropFirst(value.count)
            while let last = value.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
                value.removeLast()
            }
        }
        return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    /// Whether values and parameters are equal.
    package static func == (a: Self, b: Self) -> Bool {
        a.value == b.value && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
    }

    /// Hashes the value without its parameters.
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
