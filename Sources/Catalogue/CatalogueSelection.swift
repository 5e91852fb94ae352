internal import SQLiteDatabase

/// Which rows of a table make a list, as SQL with arguments.
struct CatalogueSelection {
    /// The table that the list is of.
    let table: String
    /// What stands after FROM.
    var source: String
    private var conditions: [String]
    /// Values for the marks in the conditions, in their order.
    private(set) var arguments: [(any DatabaseBindable)?] = []
    /// What to sort by, the most important first, ascending. The id comes last by itself.
    var terms: [String] = []

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
