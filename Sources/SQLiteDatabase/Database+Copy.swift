internal import CSQLite

/// Columns and rows to omit from a copy of a database.
package struct CopyOmissions: Sendable {
    /// Names of columns that are empty in every row, by table name.
    let columns: [String: Set<String>]
    /// SQL conditions that copied rows meet, by table name.
    let rows: [String: String]

    /// - Parameters:
    ///   - columns: column names by table name. In the copy they are NULL, or an empty blob, an empty text or 0 if NULL
    ///     is not allowed.
    ///   - rows: SQL conditions that copied rows meet, by table name; other rows are left out. The database that is copied is
    ///     the schema `source`.
    package init(_ columns: [String: Set<String>], rows: [String: String] = [:]) {
        self.columns = columns
        self.rows = rows
    }
}

/// A copy reads and writes each page once.
private let copyCacheKibibytes = 2_048

extension Database {
    /// Copies a database to a new file in one read transaction, while other connections continue to read and write. The copy
    /// has the same schema, rows and header versions; row IDs of tables without a primary key may differ. Columns can be left
    /// empty; large ones then cost nothing, since they are not even read.
    ///
    /// The copy is a plain file without write-ahead log. It is not synced to disk, so it may be damaged after a power failure.
    /// Full-text tables are copied with their index.
    /// - Parameters:
    ///   - source: path of the database.
    ///   - destination: path of the new file; an existing empty file is used.
    ///   - omissions: columns to leave empty.
    /// - Throws: `general` if the destination already has such tables, and errors of accessing either file. An incomplete copy
    ///   may be left behind.
    package static func writeCopy(
        of source: String, to destination: String, leavingEmpty omissions: CopyOmissions = CopyOmissions([:])
    ) throws {
        let copy = try Database(
            path: destination, options: .init(access: .create, cacheKibibytes: copyCacheKibibytes))
        // The file is not in use yet and is discarded on failure.
        for pragma in ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"] {
            try copy.execute("PRAGMA \(pragma)")
        }
        try copy.attach(source, as: "source", cacheKibibytes: copyCacheKibibytes)
        // Not `immediate`, which would also lock the source for other writers.
        try copy.transaction(.deferred) { try copy.copyContents(omissions) }
        try copy.execute("DETACH source")
    }

    /// Fills this empty database from the attached one.
    private func copyContents(_ omissions: CopyOmissions) throws {
        // The first read: from here on the source is a stable snapshot.
        let objects = try schemaObjects()
        // Create indexes before copying rows: SQLite then copies the trees of identical tables as they are, without sorting.
        for object in objects where object.kind == "table" { try executeScript(object.sql) }
        for object in objects where object.kind == "index" { try executeScript(object.sql) }
        for table in try tables() { try copyRows(of: table, omissions) }
        // Create triggers last, so that they do not fire for the copied rows.
        for object in objects where object.kind == "trigger" || object.kind == "view" {
            try executeScript(object.sql)
        }
        for pragma in ["application_id", "user_version"] {
            let value: Int = try scalar("PRAGMA source.\(pragma)") ?? 0
            try execute("PRAGMA main.\(pragma) = \(value)")
        }
    }

    private struct SchemaObject {
        let kind: String
        let sql: String
    }

    /// Returns the source's schema, except for what SQLite creates itself: its own tables, and the shadow tables of virtual ones.
    private func schemaObjects() throws -> [SchemaObject] {
        try fetchAll(
            """
            SELECT schema.type, schema.sql FROM source.sqlite_schema AS schema
            LEFT JOIN pragma_table_list AS list ON list.schema = 'source' AND list.name = schema.name
            WHERE schema.sql IS NOT NULL AND schema.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND coalesce(list.type, '') <> 'shadow'
            ORDER BY schema.rowid
            """
        ) { SchemaObject(kind: try $0["type"], sql: try $0["sql"]) }
    }

    /// Returns the tables with rows: ordinary and shadow tables, and the AUTOINCREMENT counters.
    private func tables() throws -> [String] {
        try values(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')
                AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence')
            ORDER BY name
            """)
    }

    private func copyRows(of table: String, _ omissions: CopyOmissions) throws {
        let omitted = omissions.columns[table] ?? []
        let condition = omissions.rows[table].map { " WHERE \($0)" } ?? ""
        let name = Self.quoted(table)
        let columns = try fetchAll(
            "SELECT name, type, \"notnull\", hidden FROM pragma_table_xinfo(?) WHERE schema = 'main'", [table]
        ) { row -> (name: String, type: String, takesNoNull: Bool, hidden: Int) in
            (try row["name"], try row["type"], try row["notnull"], try row["hidden"])
        }
        // Creating a virtual table has inserted rows into its shadow tables.
        try execute("DELETE FROM main.\(name)")
        guard !omitted.isEmpty || columns.contains(where: { $0.hidden != 0 }) else {
            return try execute("INSERT INTO main.\(name) SELECT * FROM source.\(name)\(condition)")
        }
        // Generated columns must not be inserted.
        let given = columns.filter { $0.hidden == 0 }
        let values = given.map { column -> String in
            guard omitted.contains(column.name) else { return Self.quoted(column.name) }
            guard column.takesNoNull else { return "NULL" }
            switch column.type.uppercased() {
            case "BLOB", "ANY": return "zeroblob(0)"
            case "TEXT": return "''"
            default: return "0"
            }
        }
        try execute(
            """
            INSERT INTO main.\(name) (\(given.map { Self.quoted($0.name) }.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM source.\(name)\(condition)
            """)
    }

    /// Returns a name as an identifier in SQL.
    package static func quoted(_ name: String) -> String {
        // Few names have quotation marks, and looking for one is faster than replacing them.
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        return "\"\(name.replacing("\"", with: "\"\""))\""
    }
}

extension Database {
    /// A number that changes whenever another connection, of any process, has changed the database. It does not reflect this
    /// connection's own changes, and is not comparable between connections.
    package var dataVersion: Int {
        get throws(DatabaseError) { try scalar("PRAGMA data_version") ?? 0 }
    }
}
