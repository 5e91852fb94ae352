package import HTTPServer

/// A parameter in the list of an operation.
package protocol OperationParameter: Sendable {
    /// The entry in the API description.
    var described: OpenAPIParameter { get }
}

extension OpenAPIParameter: OperationParameter {
    package var described: OpenAPIParameter { self }
}

/// A query parameter with values of a type: handlers read it from a request, and the API description lists it.
///
/// `Value` is an optional for a parameter without a default value, unless it is ``required``.
package struct QueryParameter<Value: Sendable>: OperationParameter {
    package let described: OpenAPIParameter
    /// The value if the parameter is missing; nil if it is required.
    fileprivate let standard: Value?
    /// Converts a value as sent; returns nil if it is invalid.
    fileprivate let convert: @Sendable (String) -> Value?
    /// The valid values, as in "an integer from 1 to 5".
    fileprivate let expected: String

    /// Declares a parameter.
    /// - Parameters:
    ///   - standard: The value if it is missing.
    ///   - expected: The valid values, as in "an integer from 1 to 5", for the error message.
    ///   - convert: Converts a value as sent; returns nil if it is invalid.
    package init(
        _ name: String, _ meaning: String, _ schema: JSONSchema, default standard: Value, expected: String,
        convert: @escaping @Sendable (String) -> Value?
    ) {
        self.init(
            .query(name, meaning, schema), standard: standard, expected: expected, convert: convert)
    }

    fileprivate init(
        _ described: OpenAPIParameter, standard: Value?, expected: String,
        convert: @escaping @Sendable (String) -> Value?
    ) {
        self.described = described
        self.standard = standard
        self.expected = expected
        self.convert = convert
    }

    package var name: String { described.name }

    /// The error for an invalid value.
    package var invalid: HTTPError {
        APIError.invalidParameter("\(name) must be \(expected).", field: name)
    }

    /// Returns the value in a query.
    /// - Throws: 400 if the parameter is required and missing, 422 if its value is invalid.
    package func value(in query: QueryParameters) throws(HTTPError) -> Value {
        guard let text = query[name] else {
            guard let standard else {
                throw APIError.missingParameter("The query parameter is missing.", field: name)
            }
            return standard
        }
        guard let value = convert(text) else { throw invalid }
        return value
    }
}

extension HTTPRequest {
    /// Returns the value of a query parameter.
    /// - Throws: 400 if it is required and missing, 422 if it is invalid or given more than once.
    package func value<Value>(_ parameter: QueryParameter<Value>) throws(HTTPError) -> Value {
        guard query.values(of: parameter.name).count <= 1 else {
            throw APIError.invalidParameter(
                "The parameter is given more than once.", field: parameter.name)
        }
        return try parameter.value(in: query)
    }
}

// MARK: - Optional parameters

extension QueryParameter {
    /// Declares a parameter without a default value.
    package init<Wrapped>(
        _ name: String, _ meaning: String, _ schema: JSONSchema, expected: String,
        convert: @escaping @Sendable (String) -> Wrapped?
    ) where Value == Wrapped? {
        self.init(name, meaning, schema, default: nil, expected: expected) { text in
            convert(text).map { .some($0) }
        }
    }

    /// The parameter without which a request is invalid.
    package func required<Wrapped>() -> QueryParameter<Wrapped> where Value == Wrapped? {
        var described = described
        described.isRequired = true
        let convert = convert
        return QueryParameter<Wrapped>(described, standard: nil, expected: expected) { text in
            convert(text) ?? nil
        }
    }

    /// The parameter with a value for requests without it.
    package func standard<Wrapped>(_ value: Wrapped) -> QueryParameter<Wrapped> where Value == Wrapped? {
        let convert = convert
        return QueryParameter<Wrapped>(described, standard: value, expected: expected) { text in
            convert(text) ?? nil
        }
    }
}

extension QueryParameter where Value == String? {
    /// Any text.
    package init(_ name: String, _ meaning: String, _ schema: JSONSchema = .text()) {
        self.init(name, meaning, schema, expected: "a text") { $0 }
    }
}

extension QueryParameter where Value == Int? {
    /// An integer.
    package init(_ name: String, _ meaning: String, in range: ClosedRange<Int>, example: Int? = nil) {
        self.init(
            name, meaning,
            .integer(minimum: range.lowerBound, maximum: range.upperBound, example: example),
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The ID of an object.
    package init(id name: String, _ meaning: String, example: Int? = nil) {
        self.init(name, meaning, in: JSONSchema.identifiers, example: example)
    }
}

extension QueryParameter where Value == Double? {
    /// A number.
    package init(_ name: String, _ meaning: String, in range: ClosedRange<Double>) {
        self.init(
            name, meaning, .number(minimum: range.lowerBound, maximum: range.upperBound),
            expected: "a number from \(range.lowerBound.briefly) to \(range.upperBound.briefly)"
        ) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension QueryParameter {
    /// One of the cases of a type.
    package init<Case: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ meaning: String, oneOf type: Case.Type = Case.self
    ) where Value == Case? {
        let names = Case.allCases.map(\.rawValue)
        self.init(
            name, meaning, .oneOf(names), expected: "one of \(names.joined(separator: ", "))"
        ) { Case(rawValue: $0) }
    }
}

// MARK: - Parameters with default values

extension QueryParameter where Value == Int {
    /// An integer with a default value.
    package init(_ name: String, _ meaning: String, in range: ClosedRange<Int>, default standard: Int) {
        var schema = JSONSchema.integer(minimum: range.lowerBound, maximum: range.upperBound)
        schema.standard = .number(Double(standard))
        self.init(
            name, meaning, schema, default: standard,
            expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension QueryParameter where Value == Double {
    /// A number with a default value.
    package init(
        _ name: String, _ meaning: String, in range: ClosedRange<Double>, default standard: Double
    ) {
        self.init(
            name, meaning,
            .number(minimum: range.lowerBound, maximum: range.upperBound, standard: standard),
            default: standard,
            expected: "a number from \(range.lowerBound.briefly) to \(range.upperBound.briefly)"
        ) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension QueryParameter where Value == Bool {
    /// A flag, false by default.
    package init(_ name: String, _ meaning: String) {
        self.init(
            name, meaning, JSONSchema(kind: .boolean), default: false, expected: "true or false"
        ) { Bool($0) }
    }
}

extension QueryParameter where Value: RawRepresentable<String> & CaseIterable {
    /// One of the cases of a type, with a default value.
    package init(_ name: String, _ meaning: String, default standard: Value) {
        let names = Value.allCases.map(\.rawValue)
        self.init(
            name, meaning, .oneOf(names, standard: standard.rawValue), default: standard,
            expected: "one of \(names.joined(separator: ", "))"
        ) { Value(rawValue: $0) }
    }
}

extension Double {
    /// The number without a needless `.0`.
    fileprivate var briefly: String {
        self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)"
    }
}
