/// Writes elements as XML 1.0.
enum XMLText {
    /// Returns a document with an element as its root.
    /// - Parameters:
    ///   - name: the root element's name.
    ///   - namespace: the namespace of all elements.
    static func document(_ object: SubsonicObject, name: String, namespace: String) -> [UInt8] {
        var output = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
        write(object, name: name, namespace: namespace, to: &output)
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private static func write(
        _ object: SubsonicObject, name: String, namespace: String? = nil, to output: inout [UInt8]
    ) {
        output.append(contentsOf: "<\(name)".utf8)
        if let namespace { attribute("xmlns", namespace, to: &output) }
        for field in object.fields {
            guard let text = attributeText(field.value) else { continue }
            attribute(field.name, text, to: &output)
        }
        let start = output.count
        output.append(UInt8(ascii: ">"))
        let contentStart = output.count
        for field in object.fields { writeChildren(field, to: &output) }
        if output.count == contentStart {
            output.replaceSubrange(start..., with: "/>".utf8)
        } else {
            output.append(contentsOf: "</\(name)>".utf8)
        }
    }

    /// The text of a field that is an attribute; nil for content and children.
    private static func attributeText(_ value: SubsonicObject.Value) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): DecimalText.text(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .content, .object, .objects, .texts, .integers: nil
        }
    }

    private static func writeChildren(_ field: SubsonicObject.Field, to output: inout [UInt8]) {
        switch field.value {
        case .content(let text): escape(text, to: &output)
        case .object(let object): write(object, name: field.name, to: &output)
        case .objects(let list):
            for object in list { write(object, name: field.name, to: &output) }
        case .texts(let list):
            for text in list { element(field.name, text, to: &output) }
        case .integers(let list):
            for number in list { element(field.name, String(number), to: &output) }
        case .text, .integer, .number, .boolean: break
        }
    }

    private static func element(_ name: String, _ text: String, to output: inout [UInt8]) {
        output.append(contentsOf: "<\(name)>".utf8)
        escape(text, to: &output)
        output.append(contentsOf: "</\(name)>".utf8)
    }

    private static func attribute(_ name: String, _ text: String, to output: inout [UInt8]) {
        output.append(contentsOf: " \(name)=\"".utf8)
        escape(text, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Writes text so that a parser reads the same: white space too, which attributes would normalise (XML 1.0, 3.3.3).
    /// Characters that XML 1.0 does not allow (2.2), escaped or not, become U+FFFD.
    private static func escape(_ text: String, to output: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append(contentsOf: "&amp;".utf8)
            case "<": output.append(contentsOf: "&lt;".utf8)
            case ">": output.append(contentsOf: "&gt;".utf8)
            case "\"": output.append(contentsOf: "&quot;".utf8)
            case "\t": output.append(contentsOf: "&#9;".utf8)
            case "\n": output.append(contentsOf: "&#10;".utf8)
            case "\r": output.append(contentsOf: "&#13;".utf8)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": output.append(contentsOf: "\u{FFFD}".utf8)
            case _ where scalar.isASCII: output.append(UInt8(truncatingIfNeeded: scalar.value))
            default: output.append(contentsOf: String(scalar).utf8)
            }
        }
    }
}
