/// A tree of path segments with routes at its nodes.
struct RouteTable: Sendable {
    private var root = Node()
    /// All routes in the order in which they were added.
    private(set) var registered: [RegisteredRoute] = []

    private final class Node: Sendable {
        struct Placeholder: Sendable {
            let prefix: String
            let name: String
            let suffix: String
            let node: Node
        }

        struct Literal: Sendable {
            let text: String
            let node: Node
        }

        // Searched linearly: there are few, and most differ in length.
        let literals: [Literal]
        // Sorted by the amount of literal text, descending: `:index.mp3` precedes `:name`.
        let placeholders: [Placeholder]
        let catchAll: [HTTPMethod: Route]
        let routes: [HTTPMethod: Route]

        init(
            literals: [Literal] = [], placeholders: [Placeholder] = [],
            catchAll: [HTTPMethod: Route] = [:], routes: [HTTPMethod: Route] = [:]
        ) {
            self.literals = literals
            self.placeholders = placeholders
            self.catchAll = catchAll
            self.routes = routes
        }
    }

    mutating func add(_ route: Route, method: HTTPMethod, pattern: RoutePattern) {
        root = Self.adding(route, method, pattern.segments[...], to: root)
        registered.append(RegisteredRoute(method: method, path: pattern.description))
    }

    /// Returns a copy of `node` with a route added below it.
    private static func adding(
        _ route: Route, _ method: HTTPMethod, _ segments: ArraySlice<RoutePattern.Segment>, to node: Node
    ) -> Node {
        var literals = node.literals
        var placeholders = node.placeholders
        var catchAll = node.catchAll
        var routes = node.routes
        let rest = segments.dropFirst()
        switch segments.first {
        case nil: routes[method] = route
        case .catchAll: catchAll[method] = route
        case .literal(let text):
            let index = literals.firstIndex { $0.text == text }
            let below = adding(route, method, rest, to: index.map { literals[$0].node } ?? Node())
            let literal = Node.Literal(text: text, node: below)
            if let index { literals[index] = literal } else { literals.append(literal) }
        case .parameter(let prefix, let name, let suffix):
            let index = placeholders.firstIndex {
                $0.prefix == prefix && $0.name == name && $0.suffix == suffix
            }
            let below = adding(route, method, rest, to: index.map { placeholders[$0].node } ?? Node())
            let placeholder = Node.Placeholder(prefix: prefix, name: name, suffix: suffix, node: below)
            if let index {
                placeholders[index] = placeholder
            } else {
                let weight = prefix.utf8.count + suffix.utf8.count
                let place = placeholders.firstIndex { $0.prefix.utf8.count + $0.suffix.utf8.count < weight }
                placeholders.insert(placeholder, at: place ?? placeholders.endIndex)
            }
        }
        return Node(literals: literals, placeholders: placeholders, catchAll: catchAll, routes: routes)
    }

    /// Finds the routes of a path.
    ///
    /// - Parameter parameters: Receives the values of the placeholders.
    /// - Returns: All methods at the best match, or nil if no pattern matches.
    /// - Throws: ``HTTPError`` with 400 if the path's escapes are malformed.
    func match(_ path: String, _ parameters: inout PathParameters) throws(HTTPError) -> [HTTPMethod: Route]? {
        try Self.search(root, Self.segments(path), 0, &parameters)
    }

    /// A segment of a requested path.
    private struct Segment {
        let raw: String
        let decoded: String
    }

    /// Splits a path by bytes, which is several times faster than by characters.
    private static func segments(_ path: String) throws(HTTPError) -> [Segment] {
        let bytes = path.utf8Span.span
        var segments: [Segment] = []
        segments.reserveCapacity(8)
        var start = 0
        while start < bytes.count {
            var end = start
            var isEscaped = false
            while end < bytes.count, bytes[end] != UInt8(ascii: "/") {
                isEscaped = isEscaped || bytes[end] == UInt8(ascii: "%")
                end += 1
            }
            if end > start {
                let raw = String(copying: bytes.extracting(start..<end))
                guard let decoded = isEscaped ? percentDecoded(raw[...]) : raw else {
                    throw HTTPError(
                        .badRequest, code: "malformed_path",
                        message: "The path has malformed percent-encoding or is not UTF-8.")
                }
                segments.append(Segment(raw: raw, decoded: decoded))
            }
            start = end + 1
        }
        return segments
    }

    private static func search(
        _ node: Node, _ segments: [Segment], _ position: Int, _ parameters: inout PathParameters
    ) -> [HTTPMethod: Route]? {
        guard position < segments.count else { return node.routes.isEmpty ? nil : node.routes }
        let segment = segments[position]
        let byteCount = segment.decoded.utf8.count
        let index = node.literals.firstIndex {
            $0.text.utf8.count == byteCount && $0.text == segment.decoded
        }
        if let index, let found = search(node.literals[index].node, segments, position + 1, &parameters) {
            return found
        }
        let count = parameters.count
        for placeholder in node.placeholders {
            guard let value = inner(segment.decoded, placeholder), !value.isEmpty else { continue }
            let raw = segment.raw == segment.decoded ? value : inner(segment.raw, placeholder) ?? segment.raw
            parameters.append(name: placeholder.name, raw: raw, decoded: value)
            if let found = search(placeholder.node, segments, position + 1, &parameters) { return found }
            parameters.removeLast(downTo: count)
        }
        guard !node.catchAll.isEmpty else { return nil }
        parameters.catchAll = segments[position...].map(\.decoded)
        return node.catchAll
    }

    /// Returns the text between a placeholder's literal texts, or nil if they are missing.
    private static func inner(_ text: String, _ placeholder: Node.Placeholder) -> String? {
        if placeholder.prefix.isEmpty, placeholder.suffix.isEmpty { return text }
        let bytes = text.utf8Span.span
        let (prefix, suffix) = (placeholder.prefix.utf8Span.span, placeholder.suffix.utf8Span.span)
        guard bytes.count > prefix.count + suffix.count, bytes.starts(with: prefix) else { return nil }
        let end = bytes.count - suffix.count
        guard bytes.extracting(end...).starts(with: suffix) else { return nil }
        // The boundaries of complete strings are character boundaries.
        return String(copying: bytes.extracting(prefix.count..<end))
    }
}
