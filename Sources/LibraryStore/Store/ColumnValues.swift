internal import SQLiteDatabase
internal import Synchronization

/// A row to be written: column names and values.
struct ColumnValues {
    private(set) var names: [String] = []
    private(set) var values: [(any DatabaseBindable)?] = []

    init() {
        // As many as an analysis has.
        names.reserveCapacity(64)
        values.reserveCapacity(64)
    }

    subscript(_ name: String) -> (any DatabaseBindable)? {
        get { names.firstIndex(of: name).flatMap { values[$0] } }
        set {
            names.append(name)
            values.append(newValue)
        }
    }

    func insert(into table: String, _ database: Database) throws(DatabaseError) {
        try database.execute(text(.insert, table), values)
    }

    /// Inserts the row, or updates the given columns in the row with the same key.
    func upsert(into table: String, key: String, _ database: Database) throws(DatabaseError) {
        try database.execute(text(.upsert(key: key), table), values)
    }

    func update(_ table: String, id: Int, _ database: Database) throws(DatabaseError) {
        try database.execute(text(.update, table), values + [id])
    }

    private enum Kind: Equatable {
        case insert
        case upsert(key: String)
        case update
    }

    /// The text of a statement and its inputs.
    private struct Text {
        let kind: Kind
        let table: String
        let names: [String]
        let sql: String
    }

    /// Cache of all statement texts: one for each place in this module that writes rows, times the columns
    /// that it may omit. A lookup takes a tenth of the time of building the text.
    private static let texts = Mutex<[Text]>([])

    private func text(_ kind: Kind, _ table: String) -> String {
        Self.texts.withLock { texts in
            let known = texts.first { $0.kind == kind && $0.table == table && $0.names == names }
            if let known { return known.sql }
            let sql = makeText(kind, table)
            texts.append(Text(kind: kind, table: table, names: names, sql: sql))
            return sql
        }
    }

    private func makeText(_ kind: Kind, _ table: String) -> String {
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        switch kind {
        case .insert: return insertion
        case .upsert(let key):
            let changes = names.filter { $0 != key }.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            return "\(insertion) ON CONFLICT (\(key)) DO UPDATE SET \(changes)"
        case .update:
            return "UPDATE \(table) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = ?"
        }
    }
}
