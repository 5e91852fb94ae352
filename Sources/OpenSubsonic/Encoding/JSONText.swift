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
        for (index, field) in object.fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(field.name, to: &output)
            output.append(UInt8(ascii: ":"))
            write(field.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: SubsonicObject.Value, to output: inout [UInt8]) {
        switch value {
        case .text(let text), .content(let text): write(text, to: &output)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .number(let number): output.append(contentsOf: DecimalText.text(number).utf8)
        case .boolean(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .object(let object): write(object, to: &output)
        case .objects(let list): array(list, to: &output) { write($0, to: &$1) }
        case .texts(let list): array(list, to: &output) { write($0, to: &$1) }
        case .integers(let list): array(list, to: &output) { $1.append(contentsOf: String($0).utf8) }
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
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output.append(contentsOf: "\\\"".utf8)
            case "\\": output.append(contentsOf: "\\\\".utf8)
            case "\n": output.append(contentsOf: "\\n".utf8)
            case "\r": output.append(contentsOf: "\\r".utf8)
            case "\t": output.append(contentsOf: "\\t".utf8)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                output.append(contentsOf: "\\u".utf8)
                output.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
                output.append(contentsOf: digits.utf8)
            case _ where scalar.isASCII: output.append(UInt8(truncatingIfNeeded: scalar.value))
            default: output.append(contentsOf: String(scalar).utf8)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}

/// Numbers with a fraction as text that JSON and XML Schema both read.
enum DecimalText {
    /// Returns the shortest text that reads as this number; a whole number without a fraction.
    static func text(_ number: Double) -> String {
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
