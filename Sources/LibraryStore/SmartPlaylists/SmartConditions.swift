internal import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// Translates the rules of one playlist to a condition.
struct SmartConditions {
    let query: SmartQuery
    /// Whether any condition reads listening data.
    private(set) var readsListening = false
    /// Whether any condition names another playlist.
    private(set) var readsPlaylists = false

    init(query: SmartQuery) { self.query = query }

    /// Returns the condition of a rule.
    /// - Parameter place: the place of the rule in the JSON.
    /// - Throws: ``SmartRulesError``.
    mutating func rule(_ rule: SmartRule, in place: String, depth: Int = 1) throws -> SmartSQL {
        switch rule {
        case .all(let rules): return try group(rules, "all", "AND", place, depth)
        case .any(let rules): return try group(rules, "any", "OR", place, depth)
        case .condition(let comparison, let name, let value):
            let place = "\(place)\(place.isEmpty ? "" : ".")\(comparison.rawValue).\(name)"
            let weight = if case .list(let values) = value { values.count } else { 1 }
            guard query.budget.take(weight) else {
                throw SmartRulesError(place, "there are more than \(SmartRules.Limits.conditions) conditions")
            }
            if comparison == .inPlaylist || comparison == .notInPlaylist {
                readsPlaylists = true
                let sql = try membership(name, value, place)
                return comparison == .inPlaylist ? sql : sql.negated
            }
            guard let field = SmartField.named(name) else {
                throw SmartRulesError(place, "unknown field '\(name)'")
            }
            if field.source == .listening { readsListening = true }
            return try SmartCondition(field: field, today: query.today, place: place).sql(comparison, value)
        }
    }

    private mutating func group(
        _ rules: [SmartRule], _ name: String, _ word: String, _ place: String, _ depth: Int
    ) throws -> SmartSQL {
        let place = "\(place)\(place.isEmpty ? "" : ".")\(name)"
        guard depth <= SmartRules.Limits.depth else {
            throw SmartRulesError(place, "groups are nested more than \(SmartRules.Limits.depth) deep")
        }
        guard !rules.isEmpty else { throw SmartRulesError(place, "the group has no rules") }
        var parts: [SmartSQL] = []
        for (index, rule) in rules.enumerated() {
            parts.append(try self.rule(rule, in: "\(place)[\(index)]", depth: depth + 1))
        }
        return .joined(parts, by: word)
    }

    /// Reads the id of a playlist: a number, or as OpenSubsonic has it.
    private func membership(_ name: String, _ value: SmartRule.Value, _ place: String) throws -> SmartSQL {
        guard name.lowercased() == "id" else {
            throw SmartRulesError(place, "expected the field id with the id of a playlist")
        }
        let id: Int? =
            switch value {
            case .number(let number): Int(exactly: number)
            case .text(let text): Int(text.hasPrefix("pl-") ? String(text.dropFirst(3)) : text)
            case .flag, .list: nil
            }
        guard let id else { throw SmartRulesError(place, "expected the id of a playlist") }
        return try query.membership(ofPlaylist: id, place: place)
    }
}

/// Translates one condition.
struct SmartCondition {
    let field: SmartField
    let today: SmartDay
    /// The place in the JSON, for errors.
    let place: String

    private var column: String { field.value }

    /// Returns the condition.
    /// - Throws: ``SmartRulesError`` if the field has no such operator, or the value has the wrong type.
    func sql(_ comparison: SmartRule.Operator, _ value: SmartRule.Value) throws -> SmartSQL {
        switch comparison {
        case .is: return try equality(value)
        case .isNot: return try equality(value).negated
        case .gt, .after: return try bound(value, comparison, ">")
        case .lt, .before: return try bound(value, comparison, "<")
        case .contains: return try pattern(value, comparison, "%", "%")
        case .notContains: return try pattern(value, comparison, "%", "%").negated
        case .startsWith: return try pattern(value, comparison, "", "%")
        case .endsWith: return try pattern(value, comparison, "%", "")
        case .inTheRange: return try range(value)
        case .inTheLast: return try recent(value, comparison)
        case .notInTheLast: return try recent(value, comparison).negated
        case .isMissing: return try missing(value)
        case .isPresent: return try missing(value).negated
        case .inPlaylist, .notInPlaylist: throw unsuitable(comparison)
        }
    }

    private func unsuitable(_ comparison: SmartRule.Operator) -> SmartRulesError {
        SmartRulesError(
            place, "the \(field.kind.rawValue) field '\(field.name)' has no operator '\(comparison.rawValue)'"
        )
    }

    private func equality(_ value: SmartRule.Value) throws -> SmartSQL {
        if case .list(let values) = value {
            guard !values.isEmpty, !values.contains(where: { if case .list = $0 { true } else { false } })
            else { throw SmartRulesError(place, "expected a list of texts or numbers") }
            return .joined(try values.map { try equality($0) }, by: "OR")
        }
        switch field.kind {
        case .text:
            let text = try text(value)
            if text.isEmpty { return SmartSQL("\(column) IS NULL") }
            return SmartSQL("\(column) = ? COLLATE NOCASE", text)
        case .number: return SmartSQL("\(column) = ?", try number(value))
        case .flag: return SmartSQL("(\(column) <> 0) = ?", try flag(value))
        case .date:
            let day = try day(value)
            return SmartSQL("\(column) >= ? AND \(column) < ?", day.start, day.end)
        }
    }

    private func bound(
        _ value: SmartRule.Value, _ comparison: SmartRule.Operator, _ sign: String
    ) throws -> SmartSQL {
        switch field.kind {
        case .number: return SmartSQL("\(column) \(sign) ?", try number(value))
        // The day itself counts as after it, as it does in Navidrome.
        case .date: return SmartSQL("\(column) \(sign == ">" ? ">=" : "<") ?", try day(value).start)
        case .text, .flag: throw unsuitable(comparison)
        }
    }

    private func pattern(
        _ value: SmartRule.Value, _ comparison: SmartRule.Operator, _ start: String, _ end: String
    ) throws -> SmartSQL {
        guard field.kind == .text else { throw unsuitable(comparison) }
        var escaped = ""
        for character in try text(value) {
            if "\\%_".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        return SmartSQL("\(column) LIKE ? ESCAPE '\\'", start + escaped + end)
    }

    private func range(_ value: SmartRule.Value) throws -> SmartSQL {
        guard case .list(let bounds) = value, bounds.count == 2 else {
            throw SmartRulesError(place, "expected a list of two values, the smallest and the largest")
        }
        switch field.kind {
        case .number:
            return SmartSQL("\(column) BETWEEN ? AND ?", try number(bounds[0]), try number(bounds[1]))
        case .date:
            return SmartSQL(
                "\(column) >= ? AND \(column) < ?", try day(bounds[0]).start, try day(bounds[1]).end)
        case .text, .flag: throw unsuitable(.inTheRange)
        }
    }

    private func recent(_ value: SmartRule.Value, _ comparison: SmartRule.Operator) throws -> SmartSQL {
        guard field.kind == .date else { throw unsuitable(comparison) }
        let expected = "expected a whole number of days from 0 to 100000"
        guard let days = Int(exactly: try number(value, expected)), (0...100_000).contains(days) else {
            throw SmartRulesError(place, expected)
        }
        return SmartSQL("\(column) >= ?", today.start - days * SmartDay.milliseconds)
    }

    private func missing(_ value: SmartRule.Value) throws -> SmartSQL {
        let sql = SmartSQL(field.canBeMissing ? "\(column) IS NULL" : "\(column) = 0")
        return try flag(value) ? sql : sql.negated
    }

    // MARK: - Values

    private func text(_ value: SmartRule.Value) throws -> String {
        let text: String
        switch value {
        case .text(let given): text = given
        // A title may be a number.
        case .number(let number): text = Int(exactly: number).map(String.init) ?? String(number)
        case .flag, .list: throw SmartRulesError(place, "expected a text")
        }
        guard text.unicodeScalars.count <= SmartRules.Limits.textLength, !text.utf8.contains(0) else {
            throw SmartRulesError(
                place, "expected a text of at most \(SmartRules.Limits.textLength) characters")
        }
        return text
    }

    private func number(_ value: SmartRule.Value, _ expected: String = "expected a number") throws -> Double {
        switch value {
        case .number(let number): return number
        case .text(let text):
            guard let number = Double(text), number.isFinite else { throw SmartRulesError(place, expected) }
            return number
        case .flag, .list: throw SmartRulesError(place, expected)
        }
    }

    private func flag(_ value: SmartRule.Value) throws -> Bool {
        switch value {
        case .flag(let flag): return flag
        case .number(0), .text("false"): return false
        case .number(1), .text("true"): return true
        default: throw SmartRulesError(place, "expected true or false")
        }
    }

    private func day(_ value: SmartRule.Value) throws -> SmartDay {
        guard case .text(let text) = value, let day = SmartDay(text) else {
            throw SmartRulesError(place, "expected a day such as 2024-05-31")
        }
        return day
    }
}
