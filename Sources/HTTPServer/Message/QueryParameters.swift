/// The parameters after the `?` of a request target, decoded as HTML forms encode them: `+` is a space.
public struct QueryParameters: Sendable, Hashable {
    /// The query as sent, without its `?`.
    public let raw: String

    /// Takes a query as sent, without its `?`.
    public init(_ raw: String) { self.raw = raw }

    /// All parameters in order; one that is no valid percent-encoded UTF-8 keeps the form it was sent in.
    public var all: [(name: String, value: String)] {
        raw.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { percentDecoded($0, plusIsSpace: true) ?? String($0) }
            return (decoded[0], decoded.count > 1 ? decoded[1] : "")
        }
    }

    /// The first value of a parameter; empty where it has none, nil where it does not occur.
    public subscript(name: String) -> String? {
        raw.isEmpty ? nil : all.first { $0.name == name }?.value
    }

    /// All values of a parameter.
    public func values(of name: String) -> [String] {
        raw.isEmpty ? [] : all.filter { $0.name == name }.map(\.value)
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
