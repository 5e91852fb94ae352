internal import SQLiteDatabase

/// The rows of a list, as SQL with arguments.
struct CatalogueSelection {
    /// The table of the listed items.
    let table: String
    /// The FROM clause.
    var source: String
    private var conditions: [String]
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

    mutating func narrow(_ condition: String, _ values: (any DatabaseBindable)?...) {
        conditions.append(condition)
        arguments += values
    }

    func order(isDescending: Bool) -> String {
        let direction = isDescending ? " DESC" : ""
        return (terms + ["\(table).id"]).map { $0 + direction }.joined(separator: ", ")
    }
}
