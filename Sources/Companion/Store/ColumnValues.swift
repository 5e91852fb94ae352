internal import SQLiteDatabase

/// A row to be written: the names of columns, each with its value.
struct ColumnValues {
    private(set) var names: [String] = []
    private(set) var values: [(any DatabaseBindable)?] = []

    subscript(_ name: String) -> (any DatabaseBindable)? {
        get { names.firstIndex(of: name).flatMap { values[$0] } }
        set {
            names.append(name)
            values.append(newValue)
        }
    }

    func insert(into table: String, _ database: Database) throws(DatabaseError) {
        try database.execute(insertion(table), values)
    }

    /// Inserts the row, or changes the columns named here in the row that has the same key.
    func upsert(into table: String, key: String, _ database: Database) throws(DatabaseError) {
        let changes = names.filter { $0 != key }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        try database.execute("\(insertion(table)) ON CONFLICT (\(key)) DO UPDATE SET \(changes)", values)
    }

    func update(_ table: String, id: Int, _ database: Database) throws(DatabaseError) {
        let changes = names.map { "\($0) = ?" }.joined(separator: ", ")
        try database.execute("UPDATE \(table) SET \(changes) WHERE id = ?", values + [id])
    }

    private func insertion(_ table: String) -> String {
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
    }
}
