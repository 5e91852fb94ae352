/// HTTP header fields. Names are case-insensitive; values are UTF-8 or ISO 8859-1 as sent by the server.
public struct TransportFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    /// Creates fields from a literal; names are lowercased.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

    /// Creates fields from pairs. A name may occur more than once.
    public init(_ elements: some Sequence<(String, String)>) {
        fields = elements.map { Field(name: $0.0.lowercased(), value: $0.1) }
    }

    /// The first value of a field. Setting it replaces all values; nil removes them.
    public subscript(name: String) -> String? {
        get {
            let name = name.lowercased()
            return fields.first { $0.name == name }?.value
        }
        set {
            let name = name.lowercased()
            fields.removeAll { $0.name == name }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// All fields in order, with lowercase names.
    public var all: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}
