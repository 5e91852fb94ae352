extension Database {
    /// Columns of a table in the main schema, without generated ones.
    private struct Columns {
        var all: [String]
        var keys: [String]

        init(_ database: Database, _ table: String) throws {
            let found = try database.fetchAll(
                "SELECT name, pk FROM pragma_table_xinfo(?) WHERE schema = 'main' AND hidden = 0 ORDER BY cid",
                [table]
            ) { row -> (name: String, key: Int) in (try row["name"], try row["pk"]) }
            all = found.map { Database.quoted($0.name) }
            keys = found.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map { Database.quoted($0.name) }
        }

        var list: String { all.joined(separator: ", ") }
        var keyList: String { keys.joined(separator: ", ") }
    }

    /// Inserts rows, or updates those with the same primary key in place, so that update triggers run and nothing that refers to
    /// them is deleted.
    /// - Parameters:
    ///   - schema: the attached database that the rows come from.
    ///   - onlyChanged: whether rows that are equal are left alone, which compares the whole tables.
    /// - Throws: `DatabaseError`, also where the tables have different columns.
    package func upsertRows(of table: String, from schema: String, onlyChanged: Bool = false) throws {
        let columns = try Columns(self, table)
        let name = Self.quoted(table)
        let source = "SELECT \(columns.list) FROM \(schema).\(name)"
        let rows = onlyChanged ? "\(source) EXCEPT SELECT \(columns.list) FROM main.\(name)" : source
        try execute(
            """
            INSERT INTO main.\(name) (\(columns.list)) SELECT * FROM (\(rows)) WHERE true
            \(Self.updateOnConflict(columns.all, keys: columns.keys))
            """)
    }

    /// Returns the end of an INSERT that updates the row with the same key in place. PostgreSQL has the same syntax.
    /// - Parameters:
    ///   - columns: all columns, quoted.
    ///   - keys: those of the primary key, quoted.
    package static func updateOnConflict(_ columns: [String], keys: [String]) -> String {
        let others = columns.filter { !keys.contains($0) }.map { "\($0) = excluded.\($0)" }
        let update = others.isEmpty ? "NOTHING" : "UPDATE SET " + others.joined(separator: ", ")
        return "ON CONFLICT (\(keys.joined(separator: ", "))) DO \(update)"
    }

    /// Makes tables equal to those of an attached database; rows that are equal are left alone.
    ///
    /// Call it in a transaction. Foreign keys are checked at its end.
    package func mirror(_ tables: [String], from schema: String) throws {
        try execute("PRAGMA defer_foreign_keys = ON")
        do {
            try transaction {
                for table in tables {
                    let (keys, name) = (try Columns(self, table).keyList, Self.quoted(table))
                    try execute(
                        "DELETE FROM main.\(name) WHERE (\(keys)) NOT IN (SELECT \(keys) FROM \(schema).\(name))"
                    )
                }
                for table in tables { try upsertRows(of: table, from: schema, onlyChanged: true) }
            }
        } catch let error as DatabaseError where error.code == .constraint {
            // Two rows have exchanged a unique value.
            for table in tables { try execute("DELETE FROM main.\(Self.quoted(table))") }
            for table in tables { try upsertRows(of: table, from: schema) }
        }
    }
}
