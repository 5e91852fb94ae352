/// Header fields in their order; a name may occur more than once, in any case.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    private var fields: [HTTPField]

    /// No fields.
    public init() { fields = [] }

    /// Fields of names and values, in this order.
    public init(dictionaryLiteral elements: (HTTPFieldName, String)...) {
        fields = elements.map { HTTPField($0, $1) }
    }

    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { fields.count }
    /// The field at a position.
    public subscript(position: Int) -> HTTPField { fields[position] }

    /// The value of a field; several of the same name are joined by commas (RFC 9110 §5.3). Setting replaces them
    /// all; setting nil removes them.
    public subscript(name: HTTPFieldName) -> String? {
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

    /// The values of all fields of a name, in order.
    public func values(of name: HTTPFieldName) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is a field of this name.
    public func contains(_ name: HTTPFieldName) -> Bool { fields.contains { $0.name == name } }

    /// Adds a field after the others.
    public mutating func append(_ field: HTTPField) { fields.append(field) }

    /// Adds a token to a field that lists tokens, such as `Vary`, unless it is there.
    public mutating func add(token: String, to name: HTTPFieldName) {
        guard let present = self[name] else {
            self[name] = token
            return
        }
        if !containsToken(token, in: name) { self[name] = "\(present), \(token)" }
    }

    /// Whether a field that lists tokens, such as `Connection`, has this one, in any case.
    public func containsToken(_ token: String, in name: HTTPFieldName) -> Bool {
        guard let value = self[name] else { return false }
        return value.split(separator: ",").contains {
            $0.trimmingWhitespace().lowercased() == token.lowercased()
        }
    }

    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends (RFC 9110 §5.6.3).
    func trimmingWhitespace() -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) })
        else {
            return ""
        }
        return Substring(self[first...last])
    }
}
