/// What the placeholders of a route's pattern matched.
public struct PathParameters: Sendable {
    private var values: [(name: String, raw: String, decoded: String)] = []
    /// The segments that a closing `**` matched, decoded.
    public internal(set) var catchAll: [String] = []

    /// No parameters.
    public init() {}

    mutating func append(name: String, raw: String, decoded: String) { values.append((name, raw, decoded)) }

    mutating func removeLast(downTo count: Int) { values.removeLast(values.count - count) }

    var count: Int { values.count }

    /// The decoded value of a parameter.
    public subscript(name: String) -> String? { values.first { $0.name == name }?.decoded }

    /// The value of a parameter as it was sent, percent-encoded.
    public func raw(_ name: String) -> String? { values.first { $0.name == name }?.raw }

    /// The value of a parameter, read as `Value`.
    ///
    /// - Throws: ``HTTPError`` with 404: a path whose parameter cannot be one names nothing.
    public func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value {
        guard let value = self[name].flatMap({ Value($0) }) else {
            throw HTTPError(
                .notFound, code: "not_found", message: "There is nothing at this path.", field: name)
        }
        return value
    }
}
