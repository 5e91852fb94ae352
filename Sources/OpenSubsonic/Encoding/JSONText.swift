/// Writes elements as JSON (RFC 8259).
enum JSONText {
    /// Returns an element as a JSON object.
    static func bytes(_ object: SubsonicObject) -> [UInt8] {
        var output: [UInt8] = []
        write(object, to: &output)
        return output
    }

    private static func write(_ object: SubsonicObject, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for field in object.fields {
            // Names need no escapes.
            output.append(text: isFirst ? "\"" : ",\"")
            output.append(text: field.name)
            output.append(text: "\":")
            write(field.value, to: &output)
            isFirst = false
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: SubsonicObject.Value, to output: inout [UInt8]) {
        switch value {
        case .text(let text), .content(let text): write(text, to: &output)
        case .integer(let number): output.append(text: String(number))
        case .number(let number): output.append(text: DecimalText.text(number))
        case .boolean(let flag): output.append(text: flag ? "true" : "false")
        case .object(let object): write(object, to: &output)
        case .objects(let list): array(list, to: &output) { write($0, to: &$1) }
        case .texts(let list): array(list, to: &output) { write($0, to: &$1) }
        case .integers(let list): array(list, to: &output) { $1.append(text: String($0)) }
        }
    }

    private static func array<Item>(
        _ items: [Item], to output: inout [UInt8], _ write: (Item, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(item, &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    /// Writes a string. The separators U+2028 and U+2029 are escaped, since they end a line in older JavaScript (JSONP).
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            // Nearly all text needs no escapes, and is copied in one piece.
            var (copied, index) = (0, 0)
            while index < bytes.count {
                guard let (scalar, length) = escapedScalar(bytes, at: index) else {
                    index += 1
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
                output.append(text: escape(scalar))
                index += length
                copied = index
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    /// The scalar that begins at a place, and its length in UTF-8, if it must be escaped.
    private static func escapedScalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: UInt32, length: Int)? {
        switch bytes[index] {
        case 0...0x1F, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): return (UInt32(bytes[index]), 1)
        case 0xC2 where bytes[index + 1] < 0xA0: return (UInt32(bytes[index + 1]), 2)
        case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] & 0xFE == 0xA8:
            return (0x2000 | UInt32(bytes[index + 2] & 0x3F), 3)
        default: return nil
        }
    }

    private static func escape(_ scalar: UInt32) -> String {
        switch scalar {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x09: return "\\t"
        default:
            let digits = String(scalar, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

extension [UInt8] {
    /// Appends the bytes of a text in one piece, which is quicker than its view of UTF-8.
    fileprivate mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}

/// Numbers with a fraction as text that JSON and XML Schema both read.
enum DecimalText {
    /// Returns the shortest text that reads as this number; a whole number without a fraction.
    static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
