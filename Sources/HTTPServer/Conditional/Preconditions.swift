/// Evaluates the conditional fields of a GET or HEAD request (RFC 9110 §13, §14).
package struct Preconditions: Sendable {
    /// The kind of response.
    package enum Outcome: Hashable, Sendable {
        /// The whole representation.
        case full
        /// Part of the representation, with 206.
        case partial(Range<Int>)
        /// 304: the client's copy is up to date.
        case notModified
        /// 412: the representation has changed.
        case failed
        /// 416: the range lies outside the representation.
        case rangeNotSatisfiable
    }

    /// The entity tag of the current state.
    package var entityTag: EntityTag?
    /// The modification time of the current state.
    package var lastModified: HTTPDate?

    /// Creates preconditions from the validators of the current state.
    package init(entityTag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Evaluates the fields in the order of RFC 9110 §13.2.2.
    ///
    /// - Parameters:
    ///   - fields: The request's fields.
    ///   - byteCount: The length of the representation if ranges are allowed, otherwise nil.
    package func evaluate(_ fields: HTTPFields, byteCount: Int?) -> Outcome {
        if let state = evaluateState(fields) { return state }
        guard let byteCount, let text = fields[.range], rangeApplies(fields),
            let ranges = ByteRange.parse(text)
        else { return .full }
        // Several ranges may be answered with the full representation (RFC 9110 §14.2).
        guard ranges.count == 1 else { return .full }
        guard let range = ranges[0].resolved(in: byteCount) else { return .rangeNotSatisfiable }
        return .partial(range)
    }

    private func evaluateState(_ fields: HTTPFields) -> Outcome? {
        if let text = fields[.ifMatch] {
            let isMatch =
                text.trimmingWhitespace() == "*"
                || entityTag.map { tag in EntityTag.list(text).contains { $0.matchesStrongly(tag) } } ?? false
            if !isMatch { return .failed }
        } else if let date = fields[.ifUnmodifiedSince].flatMap({ HTTPDate($0) }), let lastModified {
            if lastModified > date { return .failed }
        }
        if let text = fields[.ifNoneMatch] {
            let isMatch =
                text.trimmingWhitespace() == "*"
                || entityTag.map { tag in EntityTag.list(text).contains { $0.matchesWeakly(tag) } } ?? false
            return isMatch ? .notModified : nil
        }
        if let date = fields[.ifModifiedSince].flatMap({ HTTPDate($0) }), let lastModified {
            return lastModified <= date ? .notModified : nil
        }
        return nil
    }

    /// Whether `If-Range`, if present, matches the current state: a strong tag, or exactly its date.
    private func rangeApplies(_ fields: HTTPFields) -> Bool {
        guard let text = fields[.ifRange] else { return true }
        if let tag = EntityTag(parsing: text) { return entityTag.map { $0.matchesStrongly(tag) } ?? false }
        guard let date = HTTPDate(text), let lastModified else { return false }
        return date == lastModified
    }
}
