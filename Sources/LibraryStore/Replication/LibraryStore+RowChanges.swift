package import Catalogue
internal import SQLiteDatabase

/// A state of a library, from which a copy of it goes on.
package struct RowState: Sendable, Equatable {
    /// The last change of a row.
    package var rows: CatalogueRevision
    /// The last change of the catalogue, which clients know.
    package var catalogue: CatalogueRevision

    /// Memberwise initializer.
    package init(rows: CatalogueRevision, catalogue: CatalogueRevision) {
        self.rows = rows
        self.catalogue = catalogue
    }
}

extension LibraryStore {
    /// Tables that a change file has with the columns of the library.
    private static let tables = LibrarySchema.loggedTables

    /// The current state.
    package var rowState: RowState {
        get throws {
            try read { database in
                RowState(
                    rows: try Self.newest("row_changes", "number", database),
                    catalogue: try CatalogueReader(database: database).catalogueRevision)
            }
        }
    }

    private static func newest(
        _ table: String, _ number: String, _ database: Database
    ) throws -> CatalogueRevision {
        let found = try database.fetchOne(
            "SELECT \(number) AS number, mark FROM \(table) ORDER BY \(number) DESC LIMIT 1"
        ) { CatalogueRevision(number: try $0["number"], mark: try $0["mark"]) }
        guard let found else {
            throw DatabaseError(.corrupt, message: "the library has no change log", path: database.path)
        }
        return found
    }

    // MARK: - Writing changes

    /// Writes the rows that have changed since a state to a new database file, in their current form.
    /// - Parameter hasAllPlaylists: whether to include all playlists, changed or not.
    /// - Returns: whether the library knows the state, and still has the changes since.
    package func writeRowChanges(
        since state: RowState, hasAllPlaylists: Bool, to destination: String
    ) throws -> Bool {
        let file = try Database(path: destination, options: .init(access: .create))
        for pragma in ["journal_mode = OFF", "synchronous = OFF"] { try file.execute("PRAGMA \(pragma)") }
        try file.attach(path, as: "source")
        return try file.transaction(.deferred) {
            let mark: Int? = try file.scalar(
                "SELECT mark FROM source.row_changes WHERE number = ?", [state.rows.number])
            guard mark == state.rows.mark else { return false }
            try file.executeScript(Self.scopeTables)
            try file.execute(
                """
                INSERT INTO changed SELECT DISTINCT kind, row FROM source.row_changes
                WHERE number > ? AND row IS NOT NULL
                """, [state.rows.number])
            if hasAllPlaylists {
                try file.executeScript(
                    """
                    INSERT OR IGNORE INTO changed SELECT 'playlist', id FROM source.playlists;
                    INSERT INTO complete VALUES ('playlist');
                    """)
            }
            for (table, kind) in Self.tables {
                try file.execute(
                    """
                    CREATE TABLE \(table) AS SELECT * FROM source.\(table)
                    WHERE id IN (SELECT row FROM changed WHERE kind = '\(kind)')
                    """)
            }
            try file.executeScript(
                """
                CREATE TABLE analysis_details AS SELECT * FROM source.analysis_details
                WHERE audio_hash IN (SELECT audio_hash FROM main.analyses);
                CREATE TABLE playlist_entries AS SELECT * FROM source.playlist_entries
                WHERE playlist_id IN (SELECT id FROM main.playlists);
                CREATE TABLE smart_playlists AS SELECT * FROM source.smart_playlists
                WHERE playlist_id IN (SELECT id FROM main.playlists);
                CREATE TABLE library_state AS SELECT * FROM source.library_state;
                """)
            try file.execute(
                "CREATE TABLE row_changes AS SELECT * FROM source.row_changes WHERE number > ?",
                [state.rows.number])
            try file.execute(
                "CREATE TABLE catalogue_changes AS SELECT * FROM source.catalogue_changes WHERE revision > ?",
                [state.catalogue.number])
            return true
        }
    }

    /// The rows that a change file is about, and the kinds of which it has all rows.
    private static let scopeTables = """
        CREATE TABLE changed (kind TEXT, row INTEGER, PRIMARY KEY (kind, row)) WITHOUT ROWID;
        CREATE TABLE complete (kind TEXT PRIMARY KEY) WITHOUT ROWID;
        """

    /// Turns a complete copy of a library, which need not have all playlists, into a file of changes to all other rows.
    package static func makeRowChanges(ofCopy path: String) throws {
        let file = try Database(path: path, options: .init(access: .readWrite))
        try file.migrate(LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        try requireDetails(file)
        try file.transaction {
            try file.executeScript(scopeTables)
            for (_, kind) in tables where kind != "playlist" {
                try file.execute("INSERT INTO complete VALUES (?)", [kind])
            }
            // Those that the copy lacks are private, not deleted.
            let last = try newest("row_changes", "number", file).number
            try file.execute("DELETE FROM playlists")
            try file.execute("DELETE FROM row_changes WHERE number > ?", [last])
        }
    }

    // MARK: - Applying changes

    /// Applies a file of changes in one transaction: readers see the library before or after all of them.
    /// - Throws: `DatabaseError`, also for a file of a host with another version of the schema.
    package func apply(rowChanges path: String) throws {
        try write(attaching: path, as: "delta") { database in
            try database.execute("PRAGMA defer_foreign_keys = ON")
            let isWhole: Bool =
                try database.scalar("SELECT 1 FROM delta.complete WHERE kind = 'track'") ?? false
            let known =
                isWhole
                ? (rows: 0, catalogue: 0) : try Self.lastLogged(database)
            for (table, kind) in Self.tables.reversed() { try Self.deleteRows(table, kind, database) }
            try Self.freeUniqueValues(database)
            for table in ["artists", "albums", "analyses", "analysis_details", "tracks", "playlists"] {
                try database.upsertRows(of: table, from: "delta")
            }
            for table in ["playlist_entries", "smart_playlists"] {
                try database.execute(
                    "DELETE FROM main.\(table) WHERE playlist_id IN (SELECT id FROM delta.playlists)")
                try database.upsertRows(of: table, from: "delta")
            }
            // Triggers have counted tracks that these rows already count.
            for table in ["tracks", "albums", "artists"] {
                try database.upsertRows(of: table, from: "delta")
            }
            try Self.takeLogs(after: known, database)
        }
    }

    private static func deleteRows(_ table: String, _ kind: String, _ database: Database) throws {
        try database.execute(
            """
            DELETE FROM main.\(table) WHERE id NOT IN (SELECT id FROM delta.\(table))
                AND (id IN (SELECT row FROM delta.changed WHERE kind = ?)
                    OR EXISTS (SELECT 1 FROM delta.complete WHERE kind = ?))
            """, [kind, kind])
    }

    /// Gives rows that get another unique value a temporary one, since rows may exchange theirs.
    private static func freeUniqueValues(_ database: Database) throws {
        for (table, column) in [
            ("tracks", "relative_path"), ("albums", "album_key"), ("artists", "name_key"),
            ("playlists", "name"),
        ] {
            try database.execute(
                """
                UPDATE main.\(table) SET \(column) = char(1) || id WHERE id IN (
                    SELECT old.id FROM main.\(table) AS old JOIN delta.\(table) AS new ON new.id = old.id
                    WHERE new.\(column) <> old.\(column))
                """)
        }
    }

    /// Changes rows of a copy of another host's library that this host gets from it later, too.
    ///
    /// The logs stay those of the other library, so that its changes can still be applied. The revision becomes a random one that the
    /// other library never has: clients must not take this state for one of its.
    func writeToCopy<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        try write { database in
            let known = try Self.lastLogged(database)
            let value = try body(database)
            guard try Self.lastLogged(database).rows > known.rows else { return value }
            try Self.forgetLogs(after: known, database)
            try database.execute(
                "UPDATE main.library_state SET revision = ?", [Int.random(in: 1 << 40..<1 << 52)])
            return value
        }
    }

    /// Replaces what triggers have logged by the log of the other library, so that clients can go on from its states here.
    private static func takeLogs(
        after known: (rows: Int, catalogue: Int), _ database: Database
    ) throws {
        try forgetLogs(after: known, database)
        for table in ["row_changes", "catalogue_changes"] {
            try database.upsertRows(of: table, from: "delta")
        }
        // The transaction raises the revision by one.
        try database.execute(
            "UPDATE main.library_state SET (epoch, revision) = (SELECT epoch, revision - 1 FROM delta.library_state)"
        )
    }

    /// The numbers of the last changes in both logs.
    private static func lastLogged(_ database: Database) throws -> (rows: Int, catalogue: Int) {
        (
            rows: try newest("main.row_changes", "number", database).number,
            catalogue: try newest("main.catalogue_changes", "revision", database).number
        )
    }

    private static func forgetLogs(
        after known: (rows: Int, catalogue: Int), _ database: Database
    ) throws {
        try database.execute("DELETE FROM main.row_changes WHERE number > ?", [known.rows])
        try database.execute("DELETE FROM main.catalogue_changes WHERE revision > ?", [known.catalogue])
    }
}
