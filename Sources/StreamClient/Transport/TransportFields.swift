/// Header fields. Names are the same however their letters are cased; values are UTF-8 or ISO 8859-1 as the server sent them.
public struct TransportFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private struct Field: Sendable, Equatable {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    /// Puts fields together, each name in small letters.
    public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

    /// Puts fields together. A name may come more than once.
    public init(_ elements: some Sequence<(String, String)>) {
        fields = elements.map { Field(name: $0.0.lowercased(), value: $0.1) }
    }

    /// The first value of a name. Setting replaces all of its values; nil removes them.
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

    /// All fields in their order, names in small letters.
    public var all: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }
}
