internal import CSQLite

/// What a copy of a database leaves out: columns that are empty in every row of it.
public struct CopyOmissions: Sendable {
    /// Names of columns by the name of their table.
    let columns: [String: Set<String>]

    /// - Parameter columns: names of columns by the name of their table. In the copy they are NULL, or, where NULL is
    ///   forbidden, a blob or text of no length or the number 0.
    public init(_ columns: [String: Set<String>]) { self.columns = columns }
}

extension Database {
    /// Writes a copy of a database into a new file, from one read transaction, while other connections go on reading and
    /// writing: the same schema, the same rows in every table, the same versions in the header. Row ids of tables without
    /// a primary key may be others.
    /// Columns may be left empty; a large one then costs nothing, since it is not even read.
    ///
    /// The copy is a plain file without write-ahead log. It is not waited for until it is on the disk: after a power cut it
    /// may be damaged. Full-text tables come with their index as it is.
    /// - Parameters:
    ///   - source: path of the database.
    ///   - destination: path of the file to make; an empty file there is used.
    ///   - omissions: what to leave empty.
    /// - Throws: `general` where the destination holds such tables, and what keeps either file from being used. Half a copy
    ///   may be left then.
    public static func writeCopy(
        of source: String, to destination: String, leavingEmpty omissions: CopyOmissions = CopyOmissions([:])
    ) throws {
        let copy = try Database(path: destination, options: .init(access: .create, cacheKibibytes: 2_048))
        // Nobody else knows the file yet, and it is thrown away if anything fails.
        for pragma in ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"] {
            try copy.execute("PRAGMA \(pragma)")
        }
        try copy.execute("ATTACH ? AS source", [source.hasPrefix("/") ? source : "./" + source])
        // Not `immediate`, which would keep other writers from the source as well.
        try copy.transaction(.deferred) { try copy.copyContents(omissions) }
        try copy.execute("DETACH source")
    }

    /// Fills this database, which is empty, from the attached one.
    private func copyContents(_ omissions: CopyOmissions) throws {
        // The first read: from here on the source stands still for us.
        let objects = try schemaObjects()
        // Indexes before the rows: of tables that are alike SQLite then copies the trees as they are, without sorting.
        for object in objects where object.kind == "table" { try executeScript(object.sql) }
        for object in objects where object.kind == "index" { try executeScript(object.sql) }
        for table in try tables() { try copyRows(of: table, leavingEmpty: omissions.columns[table] ?? []) }
        // Triggers last, so that they do nothing to the rows that come.
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

    /// What the source's schema consists of, but for what SQLite makes by itself: its own tables, and the shadow tables of
    /// virtual ones.
    private func schemaObjects() throws -> [SchemaObject] {
        try fetchAll(
            """
            SELECT schema.type, schema.sql FROM source.sqlite_schema AS schema
            LEFT JOIN pragma_table_list AS list ON list.schema = 'source' AND list.name = schema.name
            WHERE schema.sql IS NOT NULL AND schema.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND coalesce(list.type, '') <> 'shadow'
            ORDER BY schema.rowid
            """
        ) { SchemaObject(kind: try $0[0], sql: try $0[1]) }
    }

    /// Tables that hold rows: ordinary and shadow tables, and the counters of automatic ids.
    private func tables() throws -> [String] {
        try fetchAll(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')
                AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence')
            ORDER BY name
            """
        ) { try $0[0] }
    }

    private func copyRows(of table: String, leavingEmpty omitted: Set<String>) throws {
        let name = Self.quoted(table)
        let columns = try fetchAll(
            "SELECT name, type, \"notnull\", hidden FROM pragma_table_xinfo(?) WHERE schema = 'main'", [table]
        ) { row -> (name: String, type: String, takesNoNull: Bool, hidden: Int) in
            (try row[0], try row[1], try row[2], try row[3])
        }
        // The making of a virtual table has put rows into its shadow tables.
        try execute("DELETE FROM main.\(name)")
        guard !omitted.isEmpty || columns.contains(where: { $0.hidden != 0 }) else {
            return try execute("INSERT INTO main.\(name) SELECT * FROM source.\(name)")
        }
        // Generated columns are not to be given.
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
            SELECT \(values.joined(separator: ", ")) FROM source.\(name)
            """)
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }
}

extension Database {
    /// A number that is another one whenever another connection, of any process, has changed the database. It says
    /// nothing of this connection's own changes, and means nothing to another connection.
    public var dataVersion: Int {
        get throws(DatabaseError) { try scalar("PRAGMA data_version") ?? 0 }
    }
}
