/// An ordered collection of header fields; names are case-insensitive and may be repeated.
package struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    private var fields: [HTTPField]

    /// Creates an empty collection.
    package init() { fields = [] }

    /// Creates a collection of names and values, in this order.
    package init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        fields = []
        // Room for the fields that middleware adds.
        fields.reserveCapacity(elements.count + 4)
        for (name, value) in elements { fields.append(HTTPField(name, value)) }
    }

    /// The position of the first field.
    package var startIndex: Int { 0 }
    /// The position after the last field.
    package var endIndex: Int { fields.count }
    /// The field at a position.
    package subscript(position: Int) -> HTTPField { fields[position] }

    /// The value of a field; repeated fields are joined with commas (RFC 9110 §5.3). Setting a value replaces all of them;
    /// nil removes them.
    package subscript(name: HTTPFieldName) -> String? {
        get {
            var found: String?
            for field in fields where field.name == name {
                found = found.map { "\($0), \(field.value)" } ?? field.value
            }
            return found
        }
        set {
            if let index = fields.firstIndex(where: { $0.name == name }) {
                if let newValue, !fields[(index + 1)...].contains(where: { $0.name == name }) {
                    fields[index] = HTTPField(name, newValue)
                    return
                }
                fields.removeAll { $0.name == name }
            }
            if let newValue { fields.append(HTTPField(name, newValue)) }
        }
    }

    /// Returns the values of all fields with a name, in order.
    package func values(of name: HTTPFieldName) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Returns whether there is a field with this name.
    package func contains(_ name: HTTPFieldName) -> Bool { fields.contains { $0.name == name } }

    /// Appends a field.
    package mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Adds a token to a list field such as `Vary`, unless it is already present.
    package mutating func add(token: String, to name: HTTPFieldName) {
        guard let present = self[name] else {
            self[name] = token
            return
        }
        if !containsToken(token, in: name) { self[name] = "\(present), \(token)" }
    }

    /// Returns whether a list field such as `Connection` contains a token, ignoring case.
    package func containsToken(_ token: String, in name: HTTPFieldName) -> Bool {
        guard let value = self[name] else { return false }
        return value.split(separator: ",").contains {
            $0.trimmingWhitespace().lowercased() == token.lowercased()
        }
    }

    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }
}

extension StringProtocol {
    /// The text without leading and trailing spaces and tabs (RFC 9110 §5.6.3).
    func trimmingWhitespace() -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) })
        else {
            return ""
        }
        return Substring(self[first...last])
    }
}
