/// A path pattern, such as `/tracks/:id/segments/:index.mp3` or `/static/**`.
///
/// A segment is literal text, or one placeholder `:name` (letters, digits and `_`) with optional literal text before or after
/// it. `**` as the last segment matches one or more remaining segments.
struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(prefix: String, name: String, suffix: String)
        case catchAll
    }

    let segments: [Segment]

    /// Parses a pattern. Malformed segments are treated as literal text, so that such a route is never reached by accident.
    init(_ text: String) {
        let parts = text.split(separator: "/")
        segments = parts.enumerated().map { index, part in
            if part == "**", index == parts.count - 1 { return .catchAll }
            guard let colon = part.firstIndex(of: ":") else { return .literal(String(part)) }
            let rest = part[part.index(after: colon)...]
            let name = rest.prefix { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
            guard !name.isEmpty else { return .literal(String(part)) }
            return .parameter(
                prefix: String(part[..<colon]), name: String(name), suffix: String(rest[name.endIndex...]))
        }
    }

    /// The pattern as text, with single slashes.
    var description: String {
        if segments.isEmpty { return "/" }
        return segments.map { segment in
            switch segment {
            case .literal(let text): "/\(text)"
            case .parameter(let prefix, let name, let suffix): "/\(prefix):\(name)\(suffix)"
            case .catchAll: "/**"
            }
        }.joined()
    }
}
