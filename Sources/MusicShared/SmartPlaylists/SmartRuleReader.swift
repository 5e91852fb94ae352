/// Reads rules from JSON, with errors that name the place.
struct SmartRuleReader {
    private static let operators = Dictionary(
        uniqueKeysWithValues: SmartRule.Operator.allCases.map { ($0.rawValue.lowercased(), $0) })

    /// Reads the group under a key: a list of rules.
    /// - Parameter path: the place of the group, for errors.
    func group(
        _ key: String, in container: KeyedDecodingContainer<SmartKey>, path: String, depth: Int
    ) throws -> SmartRule {
        guard depth <= SmartRules.Limits.depth else {
            throw SmartRulesError(path, "groups are nested more than \(SmartRules.Limits.depth) deep")
        }
        guard var list = try? container.nestedUnkeyedContainer(forKey: SmartKey(key)) else {
            throw SmartRulesError(path, "expected a list of rules")
        }
        var rules: [SmartRule] = []
        while !list.isAtEnd {
            let place = "\(path)[\(list.currentIndex)]"
            guard let entry = try? list.nestedContainer(keyedBy: SmartKey.self) else {
                throw SmartRulesError(place, "expected an object such as {\"is\": {\"loved\": true}}")
            }
            guard !entry.allKeys.isEmpty else { throw SmartRulesError(place, "the rule is empty") }
            // Usually one; several are several rules.
            for key in entry.allKeys.map(\.stringValue).sorted() {
                rules.append(try rule(key, in: entry, path: "\(place).\(key)", depth: depth))
            }
        }
        guard !rules.isEmpty else { throw SmartRulesError(path, "the group has no rules") }
        return key.lowercased() == "all" ? .all(rules) : .any(rules)
    }

    private func rule(
        _ key: String, in container: KeyedDecodingContainer<SmartKey>, path: String, depth: Int
    ) throws -> SmartRule {
        if ["all", "any"].contains(key.lowercased()) {
            return try group(key, in: container, path: path, depth: depth + 1)
        }
        guard let comparison = Self.operators[key.lowercased()] else {
            throw SmartRulesError(path, "unknown operator '\(key)'")
        }
        guard
            let operands = try? container.decode([String: SmartRule.Value].self, forKey: SmartKey(key)),
            operands.count == 1, let (field, value) = operands.first
        else {
            throw SmartRulesError(path, "expected an object with one field and its value")
        }
        return .condition(comparison, field: field, value: value)
    }
}
