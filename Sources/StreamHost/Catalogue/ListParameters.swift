internal import HTTPServer
internal import MusicShared

/// The query of a request, read strictly: what is not known, not readable or out of range is 400 and named.
struct ListParameters {
    private var values: [String: String] = [:]

    /// - Parameter names: the parameters that the route knows. A token is always let pass.
    init(_ request: HTTPRequest, _ names: String...) throws(HTTPError) {
        for (name, value) in request.query.all {
            guard names.contains(name) || name == "token" else {
                throw HTTPError(
                    .badRequest, code: "unknown_parameter",
                    message: "This route knows these parameters: \(names.joined(separator: ", ")).",
                    field: name)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.invalid(name, "The parameter is there twice.")
            }
        }
    }

    func text(_ name: String) -> String? { values[name] }

    /// What is searched for; nil where nothing but white space is.
    var search: String? {
        values["q"].flatMap { text in text.allSatisfy { $0.isWhitespace || $0 == "\0" } ? nil : text }
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(HTTPError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Self.invalid(
                name, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// How many items of a list are wanted.
    func limit(standard: Int = CatalogueLimits.standardPage) throws(HTTPError) -> Int {
        try integer("limit", in: 1...CatalogueLimits.largestPage) ?? standard
    }

    /// How many items of a list are left out at its beginning.
    func offset() throws(HTTPError) -> Int { try integer("offset", in: 0...Int(Int32.max)) ?? 0 }

    /// The id of something that a list is narrowed to.
    func id(_ name: String) throws(HTTPError) -> Int? { try integer(name, in: 1...Int(Int32.max)) }

    /// The order of a list: a name, with a minus sign for the reverse.
    func sort<Sort: RawRepresentable<String> & CaseIterable>(
        _ standard: Sort
    ) throws(HTTPError) -> (sort: Sort, isDescending: Bool) {
        guard let text = values["sort"] else { return (standard, false) }
        let isDescending = text.hasPrefix("-")
        guard let sort = Sort(rawValue: isDescending ? String(text.dropFirst()) : text) else {
            let names = Sort.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.invalid(
                "sort", "sort is one of \(names); with a minus sign before it for the reverse.")
        }
        return (sort, isDescending)
    }

    private static func invalid(_ name: String, _ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "invalid_parameter", message: message, field: name)
    }
}
