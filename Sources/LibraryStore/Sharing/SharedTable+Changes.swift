internal import SQLiteDatabase

/// Reading and changing the tables of `listening.sqlite` that hosts share.
extension SharedTable {
    /// Tables that each host has of its own: the log of its changes, and its state.
    private static let own = ["listened_changes", "listening_state"]

    /// Returns the shared tables of a database, in the order of their names.
    static func all(in database: Database) throws -> [SharedTable] {
        let names: [String] = try database.values(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """)
        return try names.filter { !own.contains($0) }.map { try SharedTable($0, database) }
    }

    private init(_ name: String, _ database: Database) throws {
        let found = try database.fetchAll(
            "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE schema = 'main' AND hidden = 0 ORDER BY cid",
            [name]
        ) { row -> (column: Column, key: Int) in
            let (column, type): (String, String) = (try row["name"], try row["type"])
            guard let type = ValueType(rawValue: type) else {
                throw DatabaseError(
                    .general, message: "\(name).\(column) has the type \(type)", path: database.path)
            }
            return (Column(name: column, type: type), try row["pk"])
        }
        self.init(
            name: name, columns: found.map(\.column),
            key: found.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.column))
    }

    // MARK: - Noting changes

    /// The temporary table with the keys of changed rows.
    private var noted: String { "changed_\(name)" }

    /// Makes a connection note the keys of all rows that it changes. Temporary triggers do so, so that no writer can forget it, and a
    /// database that is not shared does not have them.
    func noteChanges(in database: Database) throws {
        let columns = keyList
        func values(_ row: String) -> String {
            key.map { "\(row).\(Database.quoted($0.name))" }.joined(separator: ", ")
        }
        let triggers = [("insert", ["new"]), ("update", ["old", "new"]), ("delete", ["old"])].map {
            event, rows in
            // Not INSERT OR IGNORE: the statement that runs the trigger overrides that.
            let notes = rows.map { row in
                "INSERT INTO \(noted) SELECT \(values(row)) WHERE (\(values(row))) NOT IN (SELECT \(columns) FROM \(noted));"
            }
            return """
                CREATE TEMP TRIGGER \(noted)_\(event) AFTER \(event.uppercased()) ON main.\(name) BEGIN
                    \(notes.joined(separator: "\n"))
                END;
                """
        }
        try database.executeScript(
            """
            CREATE TEMP TABLE \(noted) (\(columns), PRIMARY KEY (\(columns))) WITHOUT ROWID;
            \(triggers.joined(separator: "\n"))
            """)
    }

    /// Forgets which rows have changed.
    func forgetChanges(in database: Database) throws {
        try database.execute("DELETE FROM temp.\(noted)")
    }

    /// Returns the rows that have changed; nil if none has.
    func changes(in database: Database) throws -> SharedChange? {
        var change = SharedChange(table: self)
        let same = key.map { "row.\(Database.quoted($0.name)) = noted.\(Database.quoted($0.name))" }
        let keys = key.map { "noted.\(Database.quoted($0.name))" }.joined(separator: ", ")
        let values = columns.map { "row.\(Database.quoted($0.name))" }.joined(separator: ", ")
        try database.forEach(
            """
            SELECT row.\(Database.quoted(key[0].name)) IS NOT NULL, \(keys), \(values) FROM temp.\(noted) AS noted
            LEFT JOIN main.\(name) AS row ON \(same.joined(separator: " AND ")) ORDER BY \(keys)
            """
        ) { row in
            let found = row.values
            if found[0] == .integer(1) {
                change.rows.append(Array(found.dropFirst(1 + key.count)))
            } else {
                change.deletedKeys.append(Array(found.dropFirst().prefix(key.count)))
            }
        }
        return change.rows.isEmpty && change.deletedKeys.isEmpty ? nil : change
    }

    // MARK: - Rows

    /// Calls a closure with all rows.
    func forEachRow(in database: Database, _ body: ([DatabaseValue]) throws -> Void) throws {
        try database.forEach("SELECT \(columnList) FROM main.\(name) ORDER BY \(keyList)") {
            try body($0.values)
        }
    }

    /// Inserts a row, or updates the one with the same key in place.
    func store(_ row: [DatabaseValue], in database: Database) throws {
        try database.execute(
            """
            INSERT INTO main.\(name) (\(columnList)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
            \(Database.updateOnConflict(columnNames, keys: keyNames))
            """, row)
    }

    /// Deletes the row with a key, if it exists.
    func delete(_ keyValues: [DatabaseValue], in database: Database) throws {
        let same = key.map { "\(Database.quoted($0.name)) = ?" }.joined(separator: " AND ")
        try database.execute("DELETE FROM main.\(name) WHERE \(same)", keyValues)
    }

    // MARK: - Ids

    /// Returns the last id that was given in each table that never gives one again.
    static func lastIDs(in database: Database) throws -> [String: Int] {
        let found = try database.fetchAll("SELECT name, seq FROM main.sqlite_sequence") { row in
            (try row["name"] as String, try row["seq"] as Int)
        }
        return Dictionary(found.filter { !own.contains($0.0) }, uniquingKeysWith: max)
    }

    /// Raises the last given ids to those of another host.
    static func raiseLastIDs(to ids: [String: Int], in database: Database) throws {
        let known = try lastIDs(in: database)
        for (table, id) in ids where id > known[table] ?? -1 {
            try database.execute("DELETE FROM main.sqlite_sequence WHERE name = ?", [table])
            try database.execute("INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", [table, id])
        }
    }
}
