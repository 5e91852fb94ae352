/// The parameters after the `?` of a request target, decoded as HTML forms encode them: `+` is a space.
public struct QueryParameters: Sendable, Hashable {
    /// The query as sent, without its `?`.
    public let raw: String

    /// Takes a query as sent, without its `?`.
    public init(_ raw: String) { self.raw = raw }

    /// All parameters in order; one that is no valid percent-encoded UTF-8 keeps the form it was sent in.
    public var all: [(name: String, value: String)] {
        pairs.map { (Self.decoded($0.name), Self.decoded($0.value)) }
    }

    /// All parameters as sent.
    private var pairs: Pairs { Pairs(rest: raw.utf8[...]) }

    /// Cuts a query at bytes: at characters it would cost several times as much.
    private struct Pairs: Sequence, IteratorProtocol {
        var rest: Substring.UTF8View

        mutating func next() -> (name: Substring, value: Substring)? {
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
                let pair = rest[..<end]
                rest = rest[end...].dropFirst()
                guard !pair.isEmpty else { continue }
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return (Substring(pair), "") }
                return (Substring(pair[..<sign]), Substring(pair[sign...].dropFirst()))
            }
            return nil
        }
    }

    private static func decoded(_ text: Substring) -> String {
        percentDecoded(text, plusIsSpace: true) ?? String(text)
    }

    /// Whether a name as sent is `name`. Most are sent as they are, and are told apart without being decoded.
    private static func means(_ sent: Substring, _ name: String) -> Bool {
        if sent.utf8.elementsEqual(name.utf8) { return true }
        guard sent.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return false
        }
        return decoded(sent) == name
    }

    /// The first value of a parameter; empty where it has none, nil where it does not occur.
    public subscript(name: String) -> String? {
        if raw.isEmpty { return nil }
        return pairs.first { Self.means($0.name, name) }.map { Self.decoded($0.value) }
    }

    /// All values of a parameter.
    public func values(of name: String) -> [String] {
        if raw.isEmpty { return [] }
        return pairs.filter { Self.means($0.name, name) }.map { Self.decoded($0.value) }
    }

    /// The value of a parameter that has to be there and to be readable as `Value`.
    ///
    /// - Throws: ``HTTPError`` with 400 that names the parameter.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value {
        guard let value = try get(name, as: type) else {
            throw HTTPError(
                .badRequest, code: "missing_parameter", message: "The query parameter is missing.",
                field: name)
        }
        return value
    }

    /// The value of a parameter, or nil where it does not occur.
    ///
    /// - Throws: ``HTTPError`` with 400 where it cannot be read as `Value`.
    public func get<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = Value(text) else {
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "The query parameter cannot be read.",
                field: name)
        }
        return value
    }
}
