internal import Foundation
internal import LibraryStore
internal import PostgreSQLDatabase
internal import SQLiteDatabase
internal import Threads

/// A transaction on the shared listening data.
final class PostgreSQLTransaction: SharedTransaction {
    /// Name of the channel on which hosts tell each other of changes.
    static let channel = "audio_companion"
    /// Deleted rows and marks of writes are kept for so many revisions.
    private static let keptRevisions = 1 << 16
    /// Number of rows that one statement stores.
    private static let batchSize = 1_000

    private(set) var connection: PostgreSQLConnection?
    private(set) var state: SharedState?
    private let connect: () throws(PostgreSQLError) -> PostgreSQLConnection
    private var hasEnded = false

    /// Begins a transaction.
    /// - Parameter connect: returns another connection, after this one was lost.
    init(
        _ connection: PostgreSQLConnection, isWriting: Bool,
        connect: @escaping () throws(PostgreSQLError) -> PostgreSQLConnection
    ) throws(PostgreSQLError) {
        self.connection = connection
        self.connect = connect
        try connection.execute(
            isWriting
                ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        do throws(PostgreSQLError) {
            state = try Self.readState(connection, locks: isWriting)
        } catch {
            _ = try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Rolls back, unless the transaction was committed.
    func end() {
        if !hasEnded { _ = try? connection?.execute("ROLLBACK") }
        hasEnded = true
        if connection?.isUsable != true { connection = nil }
    }

    // MARK: - Schema

    /// Creates the schema if it does not exist.
    static func prepare(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
        let found = try connection.execute(
            "SELECT to_regclass('audio_companion.listening_state') IS NOT NULL")
        guard found.first?.first != "t" else { return }
        try connection.execute("BEGIN")
        // Several hosts may start at the same time.
        try connection.execute("SELECT pg_advisory_xact_lock(hashtext('audio_companion'))")
        for statement in schema { try connection.execute(statement) }
        try connection.execute("COMMIT")
    }

    private static let schema = [
        "CREATE SCHEMA IF NOT EXISTS audio_companion",
        """
        CREATE TABLE IF NOT EXISTS audio_companion.listening_state (
            id integer PRIMARY KEY CHECK (id = 1),
            epoch text NOT NULL,
            revision bigint NOT NULL,
            mark text NOT NULL,
            complete_since bigint NOT NULL,
            schema_version integer NOT NULL,
            last_ids text NOT NULL,
            table_revisions text NOT NULL
        )
        """,
        "INSERT INTO audio_companion.listening_state VALUES (1, '', 0, '', 0, 0, '{}', '{}') ON CONFLICT DO NOTHING",
        // From its mark a host knows whether a change was made after the connection was lost in its commit, and whether a change that it has
        // copied was lost.
        """
        CREATE TABLE IF NOT EXISTS audio_companion.writes (
            revision bigint PRIMARY KEY,
            mark text NOT NULL
        )
        """,
        // The key is a JSON array of texts.
        """
        CREATE TABLE IF NOT EXISTS audio_companion.deleted_rows (
            table_name text NOT NULL,
            row_key text NOT NULL,
            revision bigint NOT NULL,
            PRIMARY KEY (table_name, row_key)
        )
        """,
        "CREATE INDEX IF NOT EXISTS deleted_rows_by_revision ON audio_companion.deleted_rows (table_name, revision)",
    ]

    private static func readState(
        _ connection: PostgreSQLConnection, locks: Bool
    ) throws(PostgreSQLError) -> SharedState? {
        let rows = try connection.execute(
            """
            SELECT epoch, revision, mark, complete_since, schema_version, last_ids, table_revisions
            FROM audio_companion.listening_state
            \(locks ? "FOR UPDATE" : "")
            """)
        func numbers(_ text: String?) -> [String: Int]? {
            try? JSONDecoder().decode([String: Int].self, from: Data((text ?? "").utf8))
        }
        guard let row = rows.first, row.count == 7, let epoch = row[0], !epoch.isEmpty,
            let revision = row[1].flatMap({ Int($0) }), let mark = row[2],
            let complete = row[3].flatMap({ Int($0) }),
            let version = row[4].flatMap({ Int($0) }),
            let ids = numbers(row[5]), let tables = numbers(row[6])
        else { return nil }
        return SharedState(
            epoch: epoch, revision: revision, mark: mark, completeSince: complete, schemaVersion: version,
            lastIDs: ids,
            tableRevisions: tables)
    }

    // MARK: - Reading

    func has(revision: Int, mark: String) throws -> Bool {
        guard let connection else { return false }
        return try Self.has(revision, mark, connection)
    }

    private static func has(
        _ revision: Int, _ mark: String, _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> Bool {
        let found = try connection.execute(
            "SELECT 1 FROM audio_companion.writes WHERE revision = $1::bigint AND mark = $2",
            ["\(revision)", mark])
        return !found.isEmpty
    }

    func forEachRow(
        of table: SharedTable, since revision: Int?, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try connection?.forEach(
            """
            SELECT \(table.columnList) FROM \(name(table))
            \(revision == nil ? "" : "WHERE revision > $1")
            """, revision.map { ["\($0)"] } ?? []
        ) { try body(PostgreSQLText.values($0, table.columns)) }
    }

    func forEachDeletedRow(
        of table: SharedTable, since revision: Int, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try connection?.forEach(
            "SELECT row_key FROM audio_companion.deleted_rows WHERE table_name = $1 AND revision > $2",
            [table.name, "\(revision)"]
        ) { row in
            let key = try JSONDecoder().decode([String?].self, from: Data((row[0] ?? "").utf8))
            try body(PostgreSQLText.values(key, table.key))
        }
    }

    // MARK: - Committing

    func commit(_ changes: [SharedChange], _ state: SharedState) throws {
        guard let connection else { return }
        for change in changes {
            try delete(change, state.revision, connection)
            try store(change.rows, in: change.table, state.revision, connection)
        }
        try commit(state, connection)
    }

    func commitAll(
        _ tables: [SharedTable], _ state: SharedState,
        rows: (SharedTable, ([DatabaseValue]) throws -> Void) throws -> Void
    ) throws {
        guard let connection else { return }
        try connection.execute("DELETE FROM audio_companion.deleted_rows")
        for table in tables {
            try create(table, connection)
            var batch: [[DatabaseValue]] = []
            try rows(table) { row in
                batch.append(row)
                guard batch.count == Self.batchSize else { return }
                try store(batch, in: table, state.revision, connection)
                batch = []
            }
            try store(batch, in: table, state.revision, connection)
        }
        try commit(state, connection)
    }

    private func create(_ table: SharedTable, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
        let columns = table.columns.map {
            "\(Database.quoted($0.name)) \(PostgreSQLText.typeName($0.type))"
        }
        try connection.execute("DROP TABLE IF EXISTS \(name(table))")
        try connection.execute(
            """
            CREATE TABLE \(name(table)) (
                \(columns.joined(separator: ", ")), revision bigint NOT NULL, PRIMARY KEY (\(table.keyList))
            )
            """)
        try connection.execute("CREATE INDEX ON \(name(table)) (revision)")
    }

    private func store(
        _ rows: [[DatabaseValue]], in table: SharedTable, _ revision: Int, _ connection: PostgreSQLConnection
    ) throws {
        let names = table.columnNames + ["revision"]
        for batch in Self.batches(of: rows) {
            try connection.execute(
                """
                INSERT INTO \(name(table)) (\(names.joined(separator: ", ")))
                SELECT \(table.columnList), $2::bigint
                FROM json_populate_recordset(NULL::\(name(table)), $1::json)
                \(Database.updateOnConflict(names, keys: table.keyNames))
                """, [try PostgreSQLText.json(batch, table.columns), "\(revision)"])
        }
    }

    private func delete(_ change: SharedChange, _ revision: Int, _ connection: PostgreSQLConnection) throws {
        let key = change.table.keyList
        for batch in Self.batches(of: change.deletedKeys) {
            try connection.execute(
                """
                DELETE FROM \(name(change.table)) WHERE (\(key)) IN (
                    SELECT \(key) FROM json_populate_recordset(NULL::\(name(change.table)), $1::json))
                """, [try PostgreSQLText.json(batch, change.table.key)])
            let texts = try batch.map { key in
                String(decoding: try JSONEncoder().encode(key.map(PostgreSQLText.text)), as: UTF8.self)
            }
            try connection.execute(
                """
                INSERT INTO audio_companion.deleted_rows (table_name, row_key, revision)
                SELECT $1, value, $3::bigint FROM json_array_elements_text($2::json)
                ON CONFLICT (table_name, row_key) DO UPDATE SET revision = excluded.revision
                """,
                [
                    change.table.name, String(decoding: try JSONEncoder().encode(texts), as: UTF8.self),
                    "\(revision)",
                ])
        }
    }

    private func commit(_ state: SharedState, _ connection: PostgreSQLConnection) throws {
        var state = state
        if state.revision % 1024 == 0 {
            let last = state.revision - Self.keptRevisions
            for table in ["deleted_rows", "writes"] {
                try connection.execute(
                    "DELETE FROM audio_companion.\(table) WHERE revision <= $1::bigint", ["\(last)"])
            }
            state.completeSince = max(state.completeSince, last)
        }
        func text(_ numbers: [String: Int]) throws -> String {
            String(decoding: try JSONEncoder().encode(numbers), as: UTF8.self)
        }
        try connection.execute(
            """
            UPDATE audio_companion.listening_state
            SET epoch = $1, revision = $2::bigint, mark = $7, complete_since = $3::bigint, schema_version = $4::integer, last_ids = $5,
                table_revisions = $6
            """,
            [
                state.epoch, "\(state.revision)", "\(state.completeSince)", "\(state.schemaVersion)",
                try text(state.lastIDs), try text(state.tableRevisions), state.mark,
            ])
        try connection.execute(
            """
            INSERT INTO audio_companion.writes (revision, mark) VALUES ($1::bigint, $2)
            ON CONFLICT (revision) DO UPDATE SET mark = excluded.mark
            """, ["\(state.revision)", state.mark])
        try connection.execute("NOTIFY \(Self.channel)")
        do throws(PostgreSQLError) {
            try connection.executeWithoutWarning("COMMIT")
        } catch {
            // After a warning, the server has committed, but another one that takes over would not have the change.
            if error.kind == .unsafe { hasEnded = true }
            guard error.kind == .lost else { throw error }
            let seconds = connection.limits.commit
            self.connection = nil
            hasEnded = true
            guard try isCommitted(state.revision, state.mark, withinSeconds: seconds) else { throw error }
        }
        hasEnded = true
        self.state = state
    }

    /// Whether a commit was made whose answer was lost.
    /// - Throws: if no server can be asked in time.
    private func isCommitted(
        _ revision: Int, _ mark: String, withinSeconds seconds: Double
    ) throws(PostgreSQLError) -> Bool {
        let deadline = ProcessInfo.processInfo.systemUptime + seconds
        while true {
            do throws(PostgreSQLError) {
                let other = try connect()
                try other.execute("BEGIN")
                // Waits for the end of the transaction, if the server still runs it.
                _ = try Self.readState(other, locks: true)
                let isFound = try Self.has(revision, mark, other)
                // A server that was restarted has the change; this waits until the server that copies it has it, too.
                try other.executeWithoutWarning("COMMIT")
                connection = other
                return isFound
            } catch {
                guard ProcessInfo.processInfo.systemUptime < deadline else { throw error }
                DedicatedThread.sleep(seconds: 0.2)
            }
        }
    }

    private static func batches(of rows: [[DatabaseValue]]) -> [[[DatabaseValue]]] {
        stride(from: 0, to: rows.count, by: batchSize).map {
            Array(rows[$0..<min(rows.count, $0 + batchSize)])
        }
    }

    private func name(_ table: SharedTable) -> String { "audio_companion.\(Database.quoted(table.name))" }
}
