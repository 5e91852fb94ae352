internal import MusicShared
internal import SQLiteDatabase

/// The order of a smart playlist as SQL. Tracks without a value come last, equal ones in the order of their ids.
struct SmartOrder {
    /// The terms, separated by commas.
    private var terms = SmartSQL("")
    private(set) var readsListening = false

    /// The clause of a query.
    var sql: SmartSQL {
        var sql = terms
        sql.text = " ORDER BY \(sql.text)"
        return sql
    }

    /// The columns of an index of ``SmartRows`` in this order; nil for an order by listening data, and for a random one.
    var indexColumns: String? {
        readsListening || !terms.arguments.isEmpty ? nil : terms.text.replacing("r.", with: "")
    }

    /// Creates the order of some rules.
    /// - Parameter seed: makes another random order.
    /// - Throws: ``SmartRulesError`` for an unknown field.
    init(_ rules: SmartRules, seed: Int) throws {
        let names = (rules.sort ?? "title").split(separator: ",").map { $0.filter { $0 != " " } }
        guard (1...SmartRules.Limits.sortFields).contains(names.count) else {
            throw SmartRulesError(
                "sort", "expected 1 to \(SmartRules.Limits.sortFields) names of fields, separated by commas")
        }
        var last: String?
        for name in names {
            let isReversed = name.hasPrefix("-")
            let plain = name.hasPrefix("-") || name.hasPrefix("+") ? String(name.dropFirst()) : name
            last = try append(plain, isDescending: isReversed != rules.isDescending, seed: seed)
        }
        if last == "album" || last == "artist" {
            // The songs of an album in its order.
            let isWhole = last == "album" ? "" : "r.\"album:order\", "
            terms.append(SmartSQL("\(isWhole)r.album_id, r.\"discNumber\", r.\"trackNumber\", "))
        }
        terms.append(SmartSQL("r.id"))
    }

    /// Appends a field.
    /// - Returns: its name.
    private mutating func append(_ name: String, isDescending: Bool, seed: Int) throws -> String {
        let direction = isDescending ? " DESC" : ""
        if name.lowercased() == "random" {
            terms.append(Self.shuffled(seed, direction))
            return name
        }
        guard let field = SmartField.named(name) else {
            throw SmartRulesError("sort", "unknown field '\(name)'")
        }
        if field.source == .listening { readsListening = true }
        let value = field.value
        let order = field.order == nil ? value : "r.\"\(field.name):order\""
        let collation = field.kind == .text && field.order == nil ? " COLLATE NOCASE" : ""
        if field.canBeMissing { terms.append(SmartSQL("\(value) IS NULL, ")) }
        terms.append(SmartSQL("\(order)\(collation)\(direction), "))
        return field.name
    }

    /// A random order that stays the same for a seed, so that pages of it fit together: the middle digits of the square of
    /// the id times a large odd number plus the seed. A multiplication alone would only rotate the order.
    private static func shuffled(_ seed: Int, _ direction: String) -> SmartSQL {
        let mixed = "((r.id * 2654435761 + ?) & 2147483647)"
        let start = seed &* 40_503 & 0x7FFF_FFFF
        return SmartSQL("(\(mixed) * \(mixed) >> 15) & 2147483647\(direction), ", start, start)
    }
}

extension SmartField {
    /// The value in a query of ``SmartRows``.
    var value: String {
        guard source == .listening else { return "r.\"\(name)\"" }
        return canBeMissing ? "l.\"\(name)\"" : "coalesce(l.\"\(name)\", 0)"
    }
}
