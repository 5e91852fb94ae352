internal import SQLiteDatabase

/// The rows of a list, as SQL with arguments.
struct CatalogueSelection {
    /// The table of the listed items.
    let table: String
    /// SQL for an item's id.
    var id: String { source == "tracks_fts" ? "tracks_fts.rowid" : "\(table).id" }
    /// The FROM clause.
    var source: String
    private var conditions: [String]
    /// Whether an index has all items of the list in its order, so that a page is found without reading all of them.
    var isInIndexOrder = false
    /// Whether lists of this kind are short, so that it is not worth keeping their order.
    var isShort = false
    /// Values of the placeholders in the conditions, in order.
    private(set) var arguments: [(any DatabaseBindable)?] = []
    /// Sort terms, the most important first, ascending. The id is always appended.
    var terms: [String] = []
    /// Values of the placeholders in the sort terms, in order.
    var termArguments: [(any DatabaseBindable)?] = []

    init(_ table: String, where condition: String) {
        self.table = table
        source = table
        conditions = [condition]
    }

    var condition: String { conditions.joined(separator: " AND ") }

    /// Whether nothing but the table's own condition narrows the list.
    var isWhole: Bool { conditions.count == 1 }

    mutating func narrow(_ condition: String, _ values: (any DatabaseBindable)?...) {
        conditions.append(condition)
        arguments += values
    }

    mutating func narrow(_ condition: String, arguments values: [(any DatabaseBindable)?]) {
        conditions.append(condition)
        arguments += values
    }

    /// Returns a copy that is also narrowed by an expression for FTS5's MATCH.
    func narrowed(_ words: String, _ byWords: (inout CatalogueSelection, String) -> Void)
        -> CatalogueSelection
    {
        var narrow = self
        byWords(&narrow, words)
        return narrow
    }

    /// A copy without items.
    var narrowedToNothing: CatalogueSelection {
        var narrow = self
        narrow.narrow("0")
        narrow.isShort = true
        return narrow
    }

    func order(isDescending: Bool) -> String {
        let direction = isDescending ? " DESC" : ""
        return (terms + [id]).map { $0 + direction }.joined(separator: ", ")
    }
}
