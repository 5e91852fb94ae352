/// The log of changed rows, from which another host keeps its copy of the library up to date.
///
/// Unlike `catalogue_changes`, which lists what clients show, it covers every column. Triggers write it, so that no writer can
/// forget it. A state is identified as in `catalogue_changes`: by the number of the last row and its random mark.
extension LibrarySchema {
    /// Number of changes to keep. A host that is further behind copies the whole library.
    static let keptRowChanges = 1 << 16

    /// The tables whose changes are logged, and their names in the log. Their `id` identifies a row.
    static let loggedTables = [
        (table: "artists", kind: "artist"), (table: "albums", kind: "album"),
        (table: "analyses", kind: "analysis"), (table: "tracks", kind: "track"),
        (table: "playlists", kind: "playlist"),
    ]

    static let rowChanges = """
        CREATE TABLE row_changes (
            number INTEGER PRIMARY KEY,
            mark INTEGER NOT NULL DEFAULT (random() >> 32),
            kind TEXT,
            row INTEGER
        ) STRICT;
        INSERT INTO row_changes DEFAULT VALUES;
        -- Now and then, since each change adds a row. Never deletes the newest row: the next row gets the number after it.
        CREATE TRIGGER row_changes_forget AFTER INSERT ON row_changes WHEN new.number % 1024 = 0 BEGIN
            DELETE FROM row_changes WHERE number <= new.number - \(keptRowChanges);
        END;
        \(loggedTables.map { logged in triggers(logged.table) { row in "SELECT '\(logged.kind)', \(row).id" } }
            .joined(separator: "\n"))
        \(triggers("analysis_details") { row in
            "SELECT 'analysis', id FROM analyses WHERE audio_hash = \(row).audio_hash"
        })
        \(["playlist_entries", "smart_playlists"].map { triggers($0) { row in "SELECT 'playlist', \(row).playlist_id" } }
            .joined(separator: "\n"))
        """

    /// - Parameter change: returns a query for the kind and id of the logged row.
    private static func triggers(_ table: String, _ change: (_ row: String) -> String) -> String {
        [("insert", "new"), ("update", "new"), ("delete", "old")].map { event, row in
            """
            CREATE TRIGGER row_changes_\(table)_\(event) AFTER \(event.uppercased()) ON \(table) BEGIN
                INSERT INTO row_changes (kind, row) \(change(row));
            END;
            """
        }.joined(separator: "\n")
    }
}
