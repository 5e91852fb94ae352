package import HTTPServer
internal import MusicShared

/// The query parameters of a request, parsed strictly: an unknown parameter is 400, an invalid or
/// out-of-range value 422; the error names it.
package struct ListParameters {
    private var values: [String: String] = [:]

    /// - Parameter names: The parameters that the route accepts. `token` is always allowed.
    package init(_ request: HTTPRequest, _ names: String...) throws(HTTPError) {
        for (name, value) in request.query.all {
            guard names.contains(name) || name == "token" else {
                throw HTTPError(
                    .badRequest, code: "unknown_parameter",
                    message: "Unknown parameter; this route accepts: \(names.joined(separator: ", ")).",
                    field: name)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.invalid(name, "The parameter is given more than once.")
            }
        }
    }

    package func text(_ name: String) -> String? { values[name] }

    /// The search text; nil if it is empty or only white space.
    package var search: String? {
        values["q"].flatMap { text in text.allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : text }
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) throws(HTTPError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Self.invalid(
                name, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Maximum number of items to return.
    package func limit(standard: Int = CatalogueLimits.defaultPage) throws(HTTPError) -> Int {
        try integer("limit", in: 1...CatalogueLimits.largestPage) ?? standard
    }

    /// Number of items to skip.
    package func offset() throws(HTTPError) -> Int { try integer("offset", in: 0...Int(Int32.max)) ?? 0 }

    /// ID of the item that a list is filtered by.
    package func id(_ name: String) throws(HTTPError) -> Int? { try integer(name, in: 1...Int(Int32.max)) }

    /// The sort order of a list: a name, prefixed with a minus sign for descending order.
    package func sort<Sort: RawRepresentable<String> & CaseIterable>(
        _ standard: Sort
    ) throws(HTTPError) -> (sort: Sort, isDescending: Bool) {
        guard let text = values["sort"] else { return (standard, false) }
        let isDescending = text.hasPrefix("-")
        guard let sort = Sort(rawValue: isDescending ? String(text.dropFirst()) : text) else {
            let names = Sort.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.invalid(
                "sort", "sort must be one of \(names), with a leading minus sign for descending order.")
        }
        return (sort, isDescending)
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.unprocessableContent, code: "invalid_parameter", message: message, field: name)
    }
}
