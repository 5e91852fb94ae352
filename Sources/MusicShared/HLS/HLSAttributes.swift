/// The attribute list of a playlist tag (RFC 8216 §4.2).
package struct HLSAttributes {
    private var values: [String: String] = [:]

    /// Parses `NAME=value,NAME="value"`.
    package init(_ text: some StringProtocol) {
        var rest = Substring(text)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].filter { $0 != " " && $0 != "," }
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                rest = rest.dropFirst()
                let end = rest.firstIndex(of: "\"") ?? rest.endIndex
                values[String(name)] = String(rest[..<end])
                rest = rest[end...].dropFirst()
            } else {
                let end = rest.firstIndex(of: ",") ?? rest.endIndex
                values[String(name)] = String(rest[..<end])
                rest = rest[end...]
            }
            rest = rest.drop { $0 == "," || $0 == " " }
        }
    }

    package subscript(name: String) -> String? { values[name] }
}
