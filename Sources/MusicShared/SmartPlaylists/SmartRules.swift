/// The rules of a smart playlist: which tracks it has, their order and their number.
///
/// In JSON they are written as in Navidrome's `.nsp` files.
public struct SmartRules: Sendable, Equatable {
    /// The rule that tracks match: a group.
    public var match: SmartRule
    /// Names of fields to sort by, the most important first, separated by commas; a minus before a name reverses its order.
    /// Nil for the title.
    public var sort: String?
    /// Whether the whole order is reversed: `order` is `desc`.
    public var isDescending: Bool
    /// The most tracks; nil for as many as a playlist may have.
    public var limit: Int?
    /// The most tracks in percent of those that match; ignored if there is a ``limit``.
    public var limitPercent: Int?

    /// Memberwise initializer.
    public init(
        match: SmartRule, sort: String? = nil, isDescending: Bool = false, limit: Int? = nil,
        limitPercent: Int? = nil
    ) {
        self.match = match
        self.sort = sort
        self.isDescending = isDescending
        self.limit = limit
        self.limitPercent = limitPercent
    }

    /// Limits of what a host accepts, so that no rules make a query that takes long.
    public enum Limits {
        /// The deepest nesting of groups.
        public static let depth = 8
        /// The most conditions in all groups together.
        public static let conditions = 200
        /// The longest text to compare with, in characters.
        public static let textLength = 1000
        /// The most fields to sort by.
        public static let sortFields = 8
    }
}

extension SmartRules: Codable {
    /// The keys of the rules in JSON.
    package static let keys = ["all", "any", "sort", "order", "limit", "limitPercent"]

    /// Decodes rules.
    /// - Throws: ``SmartRulesError`` that names the wrong part, or a `DecodingError` if the JSON is not an object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmartKey.self)
        if let unknown = container.allKeys.map(\.stringValue).sorted().first(where: {
            !Self.keys.contains($0)
        }) {
            throw SmartRulesError(
                unknown, "unknown key; rules have: \(Self.keys.joined(separator: ", "))")
        }
        try self.init(in: container)
    }

    /// Decodes the rules among the keys of a file.
    init(in container: KeyedDecodingContainer<SmartKey>) throws {
        let groups = ["all", "any"].filter { container.contains(SmartKey($0)) }
        guard groups.count == 1, let group = groups.first else {
            throw SmartRulesError(
                groups.isEmpty ? "all" : "any", "rules have exactly one of the keys all and any")
        }
        match = try SmartRuleReader().group(group, in: container, path: group, depth: 1)
        sort = try Self.value(String.self, "sort", "a text with names of fields", container)
        let order = try Self.value(String.self, "order", "asc or desc", container)?.lowercased() ?? ""
        guard ["", "asc", "desc"].contains(order) else {
            throw SmartRulesError("order", "the order is asc or desc")
        }
        isDescending = order == "desc"
        // Navidrome writes 0 for no limit.
        limit = try Self.count("limit", 1...Int(Int32.max), container)
        limitPercent = try Self.count("limitPercent", 1...100, container)
    }

    private static func value<Value: Decodable>(
        _ type: Value.Type, _ key: String, _ expected: String, _ container: KeyedDecodingContainer<SmartKey>
    ) throws -> Value? {
        do {
            return try container.decodeIfPresent(type, forKey: SmartKey(key))
        } catch {
            // Not always a DecodingError: 1.5 is no number at all for a decoder of whole numbers.
            throw SmartRulesError(key, "expected \(expected)")
        }
    }

    private static func count(
        _ key: String, _ range: ClosedRange<Int>, _ container: KeyedDecodingContainer<SmartKey>
    ) throws -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard let number = try value(Int.self, key, expected, container), number != 0 else { return nil }
        guard range.contains(number) else { throw SmartRulesError(key, "expected \(expected)") }
        return number
    }

    /// Encodes the keys that have a value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SmartKey.self)
        try encode(in: &container)
    }

    func encode(in container: inout KeyedEncodingContainer<SmartKey>) throws {
        switch match {
        case .all(let rules): try container.encode(rules.map(WrittenRule.init), forKey: SmartKey("all"))
        case .any(let rules): try container.encode(rules.map(WrittenRule.init), forKey: SmartKey("any"))
        case .condition: try container.encode([WrittenRule(rule: match)], forKey: SmartKey("all"))
        }
        try container.encodeIfPresent(sort, forKey: SmartKey("sort"))
        if isDescending { try container.encode("desc", forKey: SmartKey("order")) }
        try container.encodeIfPresent(limit, forKey: SmartKey("limit"))
        try container.encodeIfPresent(limitPercent, forKey: SmartKey("limitPercent"))
    }
}

/// Any key of an object.
struct SmartKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// A rule as JSON.
private struct WrittenRule: Encodable {
    let rule: SmartRule

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SmartKey.self)
        switch rule {
        case .all(let rules): try container.encode(rules.map(WrittenRule.init), forKey: SmartKey("all"))
        case .any(let rules): try container.encode(rules.map(WrittenRule.init), forKey: SmartKey("any"))
        case .condition(let comparison, let field, let value):
            try container.encode([field: value], forKey: SmartKey(comparison.rawValue))
        }
    }
}
