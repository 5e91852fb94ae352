/// A tree of path segments with routes at its nodes.
struct RouteTable: Sendable {
    struct Match: Sendable {
        let routes: [HTTPMethod: Route]
        let parameters: PathParameters
    }

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

        let literals: [String: Node]
        // Sorted by the amount of literal text, descending: `:index.mp3` precedes `:name`.
        let placeholders: [Placeholder]
        let catchAll: [HTTPMethod: Route]
        let routes: [HTTPMethod: Route]

        init(
            literals: [String: Node] = [:], placeholders: [Placeholder] = [],
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
            literals[text] = adding(route, method, rest, to: literals[text] ?? Node())
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
    /// - Returns: All methods at the best match, or nil if no pattern matches.
    /// - Throws: ``HTTPError`` with 400 if the path's escapes are malformed.
    func match(_ path: String) throws(HTTPError) -> Match? {
        // Split by bytes, which is several times faster than by characters.
        let raw = path.utf8.split(separator: UInt8(ascii: "/"))
        var segments: [(raw: Substring, decoded: String)] = []
        segments.reserveCapacity(raw.count)
        for bytes in raw {
            let segment = Substring(bytes)
            guard let decoded = percentDecoded(segment) else {
                throw HTTPError(
                    .badRequest, code: "malformed_path",
                    message: "The path has malformed percent-encoding or is not UTF-8.")
            }
            segments.append((segment, decoded))
        }
        var parameters = PathParameters()
        guard let routes = Self.search(root, segments[...], &parameters) else { return nil }
        return Match(routes: routes, parameters: parameters)
    }

    private static func search(
        _ node: Node, _ segments: ArraySlice<(raw: Substring, decoded: String)>,
        _ parameters: inout PathParameters
    ) -> [HTTPMethod: Route]? {
        guard let segment = segments.first else { return node.routes.isEmpty ? nil : node.routes }
        let rest = segments.dropFirst()
        if let next = node.literals[segment.decoded], let found = search(next, rest, &parameters) {
            return found
        }
        let count = parameters.count
        for placeholder in node.placeholders {
            guard let value = inner(segment.decoded[...], placeholder), !value.isEmpty else { continue }
            let raw = inner(segment.raw, placeholder) ?? segment.raw
            parameters.append(name: placeholder.name, raw: String(raw), decoded: String(value))
            if let found = search(placeholder.node, rest, &parameters) { return found }
            parameters.removeLast(downTo: count)
        }
        guard !node.catchAll.isEmpty else { return nil }
        parameters.catchAll = segments.map(\.decoded)
        return node.catchAll
    }

    /// Returns the text between a placeholder's literal texts, or nil if they are missing.
    private static func inner(_ text: Substring, _ placeholder: Node.Placeholder) -> Substring? {
        if placeholder.prefix.isEmpty, placeholder.suffix.isEmpty { return text }
        let (prefix, suffix, bytes) = (placeholder.prefix.utf8, placeholder.suffix.utf8, text.utf8)
        guard bytes.count > prefix.count + suffix.count, bytes.starts(with: prefix),
            bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return nil }
        // The boundaries of complete strings are character boundaries.
        return Substring(bytes.dropFirst(prefix.count).dropLast(suffix.count))
    }
}
