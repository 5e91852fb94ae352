/// The query parameters of a request target, decoded like HTML forms: `+` is a space.
package struct QueryParameters: Sendable, Hashable {
    /// The query as sent, without its `?`.
    package let raw: String

    /// Creates parameters from a query as sent, without its `?`.
    package init(_ raw: String) { self.raw = raw }

    /// All parameters in order; one that is not valid percent-encoded UTF-8 is returned as sent.
    package var all: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        let bytes = raw.utf8Span.span
        var pairs = Pairs()
        while let pair = pairs.next(in: bytes) {
            all.append(
                (Self.decoded(bytes.extracting(pair.name)), Self.decoded(bytes.extracting(pair.value))))
        }
        return all
    }

    /// The first value of a parameter; empty if it has no value, nil if it is missing.
    package subscript(name: String) -> String? {
        let (bytes, wanted) = (raw.utf8Span.span, name.utf8Span.span)
        var pairs = Pairs()
        while let pair = pairs.next(in: bytes) {
            if Self.means(bytes.extracting(pair.name), wanted) {
                return Self.decoded(bytes.extracting(pair.value))
            }
        }
        return nil
    }

    /// Returns all values of a parameter.
    package func values(of name: String) -> [String] {
        var values: [String] = []
        let (bytes, wanted) = (raw.utf8Span.span, name.utf8Span.span)
        var pairs = Pairs()
        while let pair = pairs.next(in: bytes) {
            if Self.means(bytes.extracting(pair.name), wanted) {
                values.append(Self.decoded(bytes.extracting(pair.value)))
            }
        }
        return values
    }

    /// Returns the first name that is not one of `names`, or nil if all are.
    package func firstName(notIn names: [String]) -> String? {
        let bytes = raw.utf8Span.span
        var pairs = Pairs()
        while let pair = pairs.next(in: bytes) {
            let sent = bytes.extracting(pair.name)
            if !names.contains(where: { Self.means(sent, $0.utf8Span.span) }) { return Self.decoded(sent) }
        }
        return nil
    }

    /// Finds the names and values in the bytes of a query.
    private struct Pairs {
        private var start = 0

        /// Returns the positions of the next name and value, both as sent; nil at the end.
        mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
            while start < bytes.count {
                let end = bytes.firstIndex(of: UInt8(ascii: "&"), in: start..<bytes.count)
                let nameEnd = bytes.firstIndex(of: UInt8(ascii: "="), in: start..<end)
                defer { start = end + 1 }
                if end > start { return (start..<nameEnd, min(nameEnd + 1, end)..<end) }
            }
            return nil
        }
    }

    private static func decoded(_ sent: Span<UInt8>) -> String {
        let text = String(copying: sent)
        return isEscaped(sent) ? percentDecoded(text[...], plusIsSpace: true) ?? text : text
    }

    private static func isEscaped(_ sent: Span<UInt8>) -> Bool {
        for index in sent.indices where sent[index] == UInt8(ascii: "%") || sent[index] == UInt8(ascii: "+") {
            return true
        }
        return false
    }

    /// Whether a name as sent equals `name`. Most names contain no escapes and are compared without decoding.
    private static func means(_ sent: Span<UInt8>, _ name: Span<UInt8>) -> Bool {
        if sent.isSame(as: name) { return true }
        return isEscaped(sent) && decoded(sent).utf8Span.span.isSame(as: name)
    }

    /// Returns the value of a required parameter, converted to `Value`.
    ///
    /// - Throws: ``HTTPError`` naming the parameter: 400 if it is missing, 422 if it cannot be converted.
    @inlinable
    package func require<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value {
        guard let value = try get(name, as: type) else {
            throw HTTPError(
                .badRequest, code: "missing_parameter", message: "The query parameter is missing.",
                field: name)
        }
        return value
    }

    /// Returns the value of a parameter, or nil if it is missing.
    ///
    /// - Throws: ``HTTPError`` with 422 if it cannot be converted to `Value`.
    @inlinable
    package func get<Value: LosslessStringConvertible>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(HTTPError) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = Value(text) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter",
                message: "The query parameter is invalid.",
                field: name)
        }
        return value
    }
}
