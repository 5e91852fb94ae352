/// The values of the placeholders in a route's pattern.
package struct PathParameters: Sendable {
    private var values: [(name: String, raw: String, decoded: String)] = []
    /// The segments matched by a trailing `**`, decoded.
    package internal(set) var catchAll: [String] = []

    /// Creates an empty collection.
    package init() {}

    mutating func append(name: String, raw: String, decoded: String) {
        if values.isEmpty { values.reserveCapacity(4) }
        values.append((name, raw, decoded))
    }

    mutating func removeLast(downTo count: Int) { values.removeLast(values.count - count) }

    var count: Int { values.count }

    /// The decoded value of a parameter.
    package subscript(name: String) -> String? { values.first { $0.name == name }?.decoded }

    /// Returns the value of a parameter as sent, percent-encoded.
    package func raw(_ name: String) -> String? { values.first { $0.name == name }?.raw }

    /// Returns the value of a parameter, converted to `Value`.
    ///
    /// - Throws: ``HTTPError`` with 404 if it cannot be converted: such a path identifies nothing.
    @inlinable
    package func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value {
        guard let value = self[name].flatMap({ Value($0) }) else {
            throw HTTPError(
                .notFound, code: "not_found", message: "There is nothing at this path.", field: name)
        }
        return value
    }
}
